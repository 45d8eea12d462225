-- columns: c.d.s(a, b)
-- edge: c.d.s#a -> c.d.t#a IDENTITY
-- completeness: any

CREATE TABLE c.d.t AS SELECT * FROM TABLE(exclude_columns(input => TABLE(c.d.s), columns => DESCRIPTOR(b)))
