-- columns: d.s(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t#b IDENTITY
-- completeness: any

CREATE OR REPLACE TABLE d.t SHALLOW CLONE d.s VERSION AS OF 12
