-- columns: d.ev(ts, uid, n)
-- columns: d.agg(day, users)
-- edge: d.ev#ts -> d.agg#day TRANSFORMATION
-- edge: d.ev#uid -> d.agg#users AGGREGATION
-- edge: d.ev#ts -> d.agg GROUP_BY
-- completeness: complete
-- note: a view that writes TO a table passes its columns by name

CREATE MATERIALIZED VIEW IF NOT EXISTS d.mv ON CLUSTER c TO d.agg (day Date, users AggregateFunction(uniq, UInt64))
AS SELECT toDate(ts) AS day, uniqState(uid) AS users FROM d.ev GROUP BY day
