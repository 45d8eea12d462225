-- columns: raw.acct(id, email, plan, mrr, updated_at)
-- columns: dw.acct(id, email, plan, mrr, updated_at)
-- edge: raw.acct#id -> dw.acct#id IDENTITY
-- edge: raw.acct#email -> dw.acct#email TRANSFORMATION
-- edge: raw.acct#plan -> dw.acct#plan IDENTITY
-- edge: raw.acct#mrr -> dw.acct#mrr TRANSFORMATION
-- edge: raw.acct#updated_at -> dw.acct#updated_at IDENTITY
-- edge: raw.acct#updated_at -> dw.acct FILTER
-- edge: raw.acct#id -> dw.acct FILTER
-- edge: dw.acct#id -> dw.acct FILTER
-- completeness: complete

CREATE TEMP TABLE stage (LIKE dw.acct);

INSERT INTO stage
SELECT id, lower(email), plan, coalesce(mrr, 0), updated_at
FROM (
    SELECT *, row_number() OVER (PARTITION BY id ORDER BY updated_at DESC) AS rn
    FROM raw.acct
    WHERE updated_at > dateadd(day, -2, current_date)
) WHERE rn = 1;

BEGIN;
DELETE FROM dw.acct USING stage WHERE dw.acct.id = stage.id;
INSERT INTO dw.acct SELECT * FROM stage;
COMMIT;
