-- columns: stg.users(uid, email)
-- columns: dim.users(uid, email, first_seen)
-- edge: stg.users#uid -> dim.users#uid IDENTITY
-- edge: stg.users#email -> dim.users#email IDENTITY
-- edge: stg.users#uid -> dim.users JOIN
-- edge: dim.users#uid -> dim.users JOIN
-- edge: dim.users#uid -> dim.users FILTER
-- completeness: complete

INSERT INTO TABLE dim.users
SELECT s.uid, s.email, current_date()
FROM stg.users s
LEFT OUTER JOIN dim.users d ON s.uid = d.uid
WHERE d.uid IS NULL;
