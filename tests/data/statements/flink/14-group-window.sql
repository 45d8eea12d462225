-- columns: d.o(u, amount, ts)
-- edge: d.o#u -> d.hourly#u IDENTITY
-- edge: d.o#ts -> d.hourly#started TRANSFORMATION
-- edge: d.o#amount -> d.hourly#total AGGREGATION
-- edge: d.o#u -> d.hourly GROUP_BY
-- edge: d.o#ts -> d.hourly GROUP_BY
-- completeness: complete

INSERT INTO d.hourly (u, started, total)
SELECT u, TUMBLE_START(ts, INTERVAL '1' HOUR), SUM(amount)
FROM d.o
GROUP BY u, TUMBLE(ts, INTERVAL '1' HOUR);
