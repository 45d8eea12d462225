-- columns: p.d.t(a, b)
-- completeness: any

CREATE OR REPLACE TABLE FUNCTION `p.d.f`(x INT64) AS SELECT a FROM `p.d.t` WHERE b = x
