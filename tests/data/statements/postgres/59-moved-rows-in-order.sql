-- completeness: complete
-- edge: raw.q#id -> dw.arch FILTER
-- edge: raw.q#id -> dw.arch#id IDENTITY
-- edge: raw.q#id -> raw.q FILTER
-- edge: raw.q#payload -> dw.arch#payload IDENTITY
-- edge: raw.q#ts -> dw.arch SORT
-- edge: raw.q#ts -> raw.q SORT

WITH moved AS (DELETE FROM raw.q WHERE id IN (SELECT id FROM raw.q ORDER BY ts LIMIT 100 FOR UPDATE SKIP LOCKED) RETURNING id, payload)
INSERT INTO dw.arch (id, payload) SELECT id, payload FROM moved
