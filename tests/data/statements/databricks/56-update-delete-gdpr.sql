-- columns: prod.silver.profile(user_id, email, phone, erased_at)
-- columns: prod.ops.erasure(user_id, requested_at, done)
-- columns: prod.silver.session(user_id, started)
-- edge: prod.silver.profile#user_id -> prod.silver.profile FILTER
-- edge: prod.ops.erasure#user_id -> prod.silver.profile FILTER
-- edge: prod.ops.erasure#done -> prod.silver.profile FILTER
-- edge: prod.silver.session#user_id -> prod.silver.session FILTER
-- edge: prod.ops.erasure#user_id -> prod.silver.session FILTER
-- edge: prod.ops.erasure#done -> prod.silver.session FILTER
-- completeness: complete

UPDATE prod.silver.profile
SET email = NULL, phone = NULL, erased_at = current_timestamp()
WHERE user_id IN (SELECT user_id FROM prod.ops.erasure WHERE NOT done);

DELETE FROM prod.silver.session AS s
WHERE EXISTS (SELECT 1 FROM prod.ops.erasure e WHERE e.user_id = s.user_id AND NOT e.done);
