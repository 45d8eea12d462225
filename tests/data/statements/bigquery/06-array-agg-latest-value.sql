-- database: acme
-- edge: acme.raw.profile#uid -> acme.dw.plan#uid IDENTITY
-- edge: acme.raw.profile#plan -> acme.dw.plan#plan AGGREGATION
-- edge: acme.raw.profile#at -> acme.dw.plan#plan SORT
-- edge: acme.raw.profile#uid -> acme.dw.plan GROUP_BY
-- completeness: any

CREATE TABLE dw.plan AS
SELECT uid, ARRAY_AGG(plan IGNORE NULLS ORDER BY at DESC LIMIT 1)[SAFE_OFFSET(0)] AS plan
FROM raw.profile
GROUP BY uid;
