-- edge: d.ft#a -> d.t#a IDENTITY
-- completeness: any

CREATE FOREIGN TABLE d.ft (a int, b text) SERVER s OPTIONS (schema_name 'x', table_name 'y');
INSERT INTO d.t (a) SELECT a FROM d.ft;
