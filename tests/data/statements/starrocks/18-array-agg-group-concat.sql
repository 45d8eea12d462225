-- columns: dw.t(g, nms)
-- edge: ods.t#g -> dw.t#g IDENTITY
-- edge: ods.t#nm -> dw.t#nms AGGREGATION
-- edge: ods.t#pos -> dw.t#nms SORT
-- edge: ods.t#g -> dw.t GROUP_BY
-- completeness: any

INSERT INTO dw.t SELECT g, ARRAY_AGG(nm ORDER BY pos) FROM ods.t GROUP BY g;
