-- columns: d.orders(id, user_id, proc_time)
-- columns: dim.users(id, name, city)
-- edge: d.orders#id -> d.enriched#id IDENTITY
-- edge: dim.users#name -> d.enriched#name IDENTITY
-- edge: d.orders#user_id -> d.enriched JOIN
-- edge: dim.users#id -> d.enriched JOIN
-- edge: d.orders#proc_time -> d.enriched JOIN
-- edge: dim.users#city -> d.enriched FILTER
-- completeness: complete

INSERT INTO d.enriched (id, name)
SELECT /*+ LOOKUP('table'='u', 'async'='true') */ o.id, u.name
FROM d.orders /*+ OPTIONS('scan.startup.mode'='earliest-offset') */ AS o
JOIN dim.users FOR SYSTEM_TIME AS OF o.proc_time AS u ON o.user_id = u.id
WHERE u.city <> 'x';
