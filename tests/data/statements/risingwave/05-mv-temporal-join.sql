-- columns: d.o(id,pid,ts)
-- columns: d.p(pid,nm)
-- edge: d.o#id -> d.mv#id IDENTITY
-- edge: d.p#nm -> d.mv#nm IDENTITY
-- edge: d.o#pid -> d.mv JOIN
-- edge: d.p#pid -> d.mv JOIN
-- completeness: complete

CREATE MATERIALIZED VIEW d.mv AS SELECT o.id, p.nm FROM d.o o JOIN d.p FOR SYSTEM_TIME AS OF PROCTIME() AS p ON o.pid = p.pid
