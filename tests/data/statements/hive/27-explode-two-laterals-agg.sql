-- columns: ods.survey(sid, answers, groups, ts)
-- columns: dws.survey(grp, answer, n, last_ts)
-- edge: ods.survey#groups -> dws.survey#grp TRANSFORMATION
-- edge: ods.survey#answers -> dws.survey#answer TRANSFORMATION
-- edge: ods.survey#sid -> dws.survey#n AGGREGATION
-- edge: ods.survey#ts -> dws.survey#last_ts AGGREGATION
-- edge: ods.survey#answers -> dws.survey FILTER
-- edge: ods.survey#groups -> dws.survey GROUP_BY
-- edge: ods.survey#answers -> dws.survey GROUP_BY
-- completeness: complete

INSERT OVERWRITE TABLE dws.survey
SELECT g.grp, a.answer, count(DISTINCT s.sid) AS n, max(s.ts) AS last_ts
FROM ods.survey s
LATERAL VIEW explode(s.answers) a AS answer
LATERAL VIEW OUTER explode(split(s.groups, ',')) g AS grp
WHERE length(a.answer) > 0
GROUP BY g.grp, a.answer;
