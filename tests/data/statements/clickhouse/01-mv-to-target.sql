-- columns: raw.events(ts, user_id, kind, val)
-- columns: agg.hourly(hour, kind, total, users)
-- edge: raw.events#ts -> agg.hourly#hour TRANSFORMATION
-- edge: raw.events#kind -> agg.hourly#kind IDENTITY
-- edge: raw.events#val -> agg.hourly#total AGGREGATION
-- edge: raw.events#user_id -> agg.hourly#users AGGREGATION
-- edge: raw.events#kind -> agg.hourly FILTER
-- edge: raw.events#ts -> agg.hourly GROUP_BY
-- edge: raw.events#kind -> agg.hourly GROUP_BY
-- completeness: complete
-- note: the view stores nothing of its own: its rows go to the table behind TO

CREATE MATERIALIZED VIEW agg.hourly_mv TO agg.hourly AS
SELECT toStartOfHour(ts) AS hour, kind, sum(val) AS total, uniqExact(user_id) AS users
FROM raw.events
WHERE kind != 'debug'
GROUP BY hour, kind;
