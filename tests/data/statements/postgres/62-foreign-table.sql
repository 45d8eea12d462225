-- completeness: complete
-- edge: ext.u#id -> dw.u#id IDENTITY
-- edge: ext.u#nm -> dw.u#nm IDENTITY

CREATE FOREIGN TABLE ext.u (id int, nm text) SERVER s OPTIONS (schema_name 'public', table_name 'users');
INSERT INTO dw.u SELECT * FROM ext.u
