-- columns: d.t(a)
-- edge: d.buf#a -> d.t#a IDENTITY
-- edge: d.t#a -> d.buf#a IDENTITY
-- completeness: any

CREATE TABLE d.buf AS d.t ENGINE = Buffer(d, t, 16, 10, 100, 10000, 1000000, 10000000, 100000000)
