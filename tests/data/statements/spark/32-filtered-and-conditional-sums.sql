-- columns: s.g(r,p,x)
-- edge: s.g#r -> d.g#r IDENTITY
-- edge: s.g#x -> d.g#a AGGREGATION
-- edge: s.g#x -> d.g#b AGGREGATION
-- edge: s.g#p -> d.g#a CONDITIONAL
-- edge: s.g#p -> d.g#b CONDITIONAL
-- edge: s.g#r -> d.g GROUP_BY
-- completeness: complete

CREATE TABLE d.g AS SELECT r, sum(x) FILTER (WHERE p = 'a') AS a, sum(if(p = 'b', x, 0)) AS b FROM s.g GROUP BY r
