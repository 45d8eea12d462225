-- completeness: complete
-- edge: ods.x#c -> dw.g GROUP_BY
-- edge: ods.x#c -> dw.g#c IDENTITY
-- edge: ods.x#g -> dw.g GROUP_BY
-- edge: ods.x#g -> dw.g#g IDENTITY
-- edge: ods.x#v -> dw.g#v AGGREGATION

INSERT INTO TABLE dw.g SELECT g, c, v, grouping__id AS gid FROM (SELECT g, c, sum(v) AS v, grouping__id FROM ods.x GROUP BY g, c GROUPING SETS ((g, c), g)) t
