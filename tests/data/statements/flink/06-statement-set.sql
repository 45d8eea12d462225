-- columns: d.events(id, kind, amount, ts)
-- edge: d.events#id -> d.clicks#id IDENTITY
-- edge: d.events#ts -> d.clicks#ts IDENTITY
-- edge: d.events#kind -> d.clicks FILTER
-- edge: d.events#kind -> d.totals#kind IDENTITY
-- edge: d.events#amount -> d.totals#total AGGREGATION
-- edge: d.events#kind -> d.totals GROUP_BY
-- completeness: complete

EXECUTE STATEMENT SET
BEGIN
INSERT INTO d.clicks (id, ts) SELECT id, ts FROM d.events WHERE kind = 'click';
INSERT INTO d.totals (kind, total) SELECT kind, SUM(amount) FROM d.events GROUP BY kind;
END;
