-- columns: app.o(id, uid, amt)
-- edge: app.o#amt -> rpt.v FILTER
-- edge: app.o#amt -> rpt.v#tot AGGREGATION
-- edge: app.o#uid -> rpt.v GROUP_BY
-- edge: app.o#uid -> rpt.v#uid IDENTITY
-- completeness: complete

CREATE OR REPLACE FUNCTION app.big(lim numeric) RETURNS TABLE (uid int, tot numeric) LANGUAGE sql STABLE AS $$
    SELECT uid, sum(amt) FROM app.o WHERE amt > lim GROUP BY uid
$$;
CREATE VIEW rpt.v AS SELECT uid, tot FROM app.big(100);
