-- columns: d.s(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t FILTER
-- completeness: any

WITH q AS (SELECT a FROM d.s WHERE b = 1) FROM q INSERT OVERWRITE TABLE d.t PARTITION (dt = '2024') SELECT a
