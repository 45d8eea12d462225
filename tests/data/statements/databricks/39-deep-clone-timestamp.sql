-- columns: d.s(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t#b IDENTITY
-- completeness: any

CREATE TABLE IF NOT EXISTS d.t DEEP CLONE d.s TIMESTAMP AS OF '2024-01-01' LOCATION 's3://b/t'
