-- columns: d.s(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.u#b IDENTITY
-- completeness: any

FROM d.s INSERT OVERWRITE TABLE d.t PARTITION (ds = '1') SELECT a INSERT INTO TABLE d.u PARTITION (ds = '1') SELECT b
