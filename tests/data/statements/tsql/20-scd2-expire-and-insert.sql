-- columns: stg.d(k, a)
-- columns: dim.d(k, a, from_dt, to_dt, cur)
-- edge: stg.d#k -> dim.d#k IDENTITY
-- edge: stg.d#a -> dim.d#a IDENTITY
-- edge: dim.d#k -> dim.d JOIN
-- edge: stg.d#k -> dim.d JOIN
-- edge: dim.d#cur -> dim.d JOIN
-- edge: dim.d#a -> dim.d FILTER
-- edge: stg.d#a -> dim.d FILTER
-- edge: dim.d#cur -> dim.d FILTER
-- edge: dim.d#k -> dim.d FILTER
-- completeness: complete
-- note: the expiry sets constants; the insert keeps new keys and changed values

UPDATE d
SET d.cur = 0, d.to_dt = GETDATE()
FROM dim.d d
JOIN stg.d s ON s.k = d.k
WHERE d.cur = 1 AND d.a <> s.a;

INSERT INTO dim.d (k, a, from_dt, cur)
SELECT s.k, s.a, GETDATE(), 1
FROM stg.d s
LEFT JOIN dim.d d ON d.k = s.k AND d.cur = 1
WHERE d.k IS NULL;
