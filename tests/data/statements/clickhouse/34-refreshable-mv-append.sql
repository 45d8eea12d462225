-- columns: d.ev(ts, uid)
-- edge: d.ev#uid -> d.t#uid IDENTITY
-- completeness: complete

CREATE MATERIALIZED VIEW d.r REFRESH EVERY 1 HOUR APPEND TO d.t AS SELECT uid FROM d.ev
