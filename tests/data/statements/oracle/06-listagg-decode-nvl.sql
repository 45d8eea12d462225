-- columns: MART.T(G, NMS, ACT, V)
-- edge: RAW.T#G -> MART.T#G IDENTITY
-- edge: RAW.T#NM -> MART.T#NMS AGGREGATION
-- edge: RAW.T#ORD -> MART.T#NMS SORT
-- edge: RAW.T#ST -> MART.T#ACT CONDITIONAL
-- edge: RAW.T#V -> MART.T#V AGGREGATION
-- edge: RAW.T#G -> MART.T GROUP_BY
-- completeness: any

INSERT INTO mart.t (g, nms, act, v)
SELECT g,
       LISTAGG(nm, ',') WITHIN GROUP (ORDER BY ord),
       MAX(DECODE(st, 'A', 1, 0)),
       SUM(NVL(v, 0))
FROM raw.t
GROUP BY g;
