-- columns: dw.job(id, st, at)
-- columns: dw.job_log(id, st)
-- edge: dw.job#at -> dw.job FILTER
-- edge: dw.job#id -> dw.job_log#id IDENTITY
-- edge: dw.job#at -> dw.job_log FILTER
-- completeness: complete

WITH u AS (
    UPDATE dw.job SET st = 'stale' WHERE at < now() - interval '1 hour' RETURNING id
)
INSERT INTO dw.job_log (id, st) SELECT id, 'stale' FROM u;
