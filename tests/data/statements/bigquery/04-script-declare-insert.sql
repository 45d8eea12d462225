-- database: acme
-- columns: acme.raw.ev(id, kind, ts)
-- columns: acme.dw.ev(id, kind, ts)
-- edge: acme.raw.ev#id -> acme.dw.ev#id IDENTITY
-- edge: acme.raw.ev#kind -> acme.dw.ev#kind IDENTITY
-- edge: acme.raw.ev#ts -> acme.dw.ev#ts IDENTITY
-- edge: acme.raw.ev#ts -> acme.dw.ev FILTER
-- edge: acme.dw.ev#ts -> acme.dw.ev FILTER
-- completeness: complete
-- note: the variable is the target's own maximum

DECLARE last_ts TIMESTAMP;
SET last_ts = (SELECT MAX(ts) FROM dw.ev);
INSERT INTO dw.ev (id, kind, ts)
SELECT id, kind, ts FROM raw.ev WHERE ts > last_ts;
