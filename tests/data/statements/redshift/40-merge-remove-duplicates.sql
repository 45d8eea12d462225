-- completeness: any
-- edge: dw.t#id -> dw.t JOIN
-- edge: stg.t#* -> dw.t#* IDENTITY
-- edge: stg.t#id -> dw.t JOIN

MERGE INTO dw.t USING stg.t AS s ON t.id = s.id REMOVE DUPLICATES
