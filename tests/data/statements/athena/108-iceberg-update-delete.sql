-- columns: lake.consent(user_id, scope, granted, changed_at)
-- columns: lake.revoke(user_id, scope, at)
-- edge: lake.consent#changed_at -> lake.consent#changed_at TRANSFORMATION
-- edge: lake.consent#user_id -> lake.consent FILTER
-- edge: lake.revoke#user_id -> lake.consent FILTER
-- edge: lake.revoke#at -> lake.consent FILTER
-- edge: lake.consent#granted -> lake.consent FILTER
-- edge: lake.consent#changed_at -> lake.consent FILTER
-- completeness: complete

UPDATE lake.consent
SET granted = false,
    changed_at = date_add('second', 1, changed_at)
WHERE user_id IN (SELECT user_id FROM lake.revoke WHERE at > timestamp '2026-01-01 00:00:00')
  AND granted = true;

DELETE FROM lake.consent
WHERE granted = false AND changed_at < current_timestamp - interval '400' day
