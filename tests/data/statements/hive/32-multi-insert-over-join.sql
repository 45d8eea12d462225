-- columns: s.a(id,amt,dt)
-- columns: s.b(id,seg)
-- edge: s.a#id -> d.x#id IDENTITY
-- edge: s.a#amt -> d.x#amt IDENTITY
-- edge: s.b#seg -> d.x#seg IDENTITY
-- edge: s.a#id -> d.x JOIN
-- edge: s.b#id -> d.x JOIN
-- edge: s.a#dt -> d.x FILTER
-- edge: s.b#seg -> d.y#seg IDENTITY
-- edge: s.a#amt -> d.y#total AGGREGATION
-- edge: s.a#id -> d.y JOIN
-- edge: s.b#id -> d.y JOIN
-- edge: s.b#seg -> d.y GROUP_BY
-- completeness: any

FROM s.a a JOIN s.b b ON a.id = b.id
INSERT OVERWRITE TABLE d.x SELECT a.id AS id, a.amt AS amt, b.seg AS seg WHERE a.dt = '2026-01-01'
INSERT OVERWRITE TABLE d.y SELECT b.seg AS seg, sum(a.amt) AS total GROUP BY b.seg
