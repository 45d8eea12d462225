-- columns: p.d.t(a, b, c)
-- edge: p.d.t#a -> p.d.o#a IDENTITY
-- edge: p.d.t#b -> p.d.o#sb AGGREGATION
-- edge: p.d.t#a -> p.d.o GROUP_BY
-- edge: p.d.t#c -> p.d.o FILTER
-- completeness: any

CREATE TABLE `p.d.o` AS FROM `p.d.t` |> WHERE c = 1 |> AGGREGATE SUM(b) AS sb GROUP BY a
