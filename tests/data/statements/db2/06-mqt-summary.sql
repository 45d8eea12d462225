-- columns: dw.s(k,v)
-- edge: dw.s#k -> dw.m#k IDENTITY
-- edge: dw.s#v -> dw.m#v AGGREGATION
-- edge: dw.s -> dw.m#n AGGREGATION
-- edge: dw.s#k -> dw.m GROUP_BY
-- completeness: complete

CREATE TABLE dw.m AS (SELECT k, SUM(v) AS v, COUNT(*) AS n FROM dw.s GROUP BY k) DATA INITIALLY DEFERRED REFRESH DEFERRED ENABLE QUERY OPTIMIZATION
