-- columns: ods.t(id, name, ds)
-- edge: ods.t#id -> dw.o#id IDENTITY
-- edge: ods.t#name -> dw.o#name IDENTITY
-- completeness: complete

CREATE TABLE dw.o AS SELECT * EXCEPT (ds) FROM ods.t;
