-- columns: app.user(id, joined)
-- columns: app.login(user_id, at)
-- columns: app.sub(user_id, ends)
-- columns: ml.churn(user_id, days_since, logins, is_churned)
-- edge: app.user#id -> ml.churn#user_id IDENTITY
-- edge: app.login#at -> ml.churn#days_since AGGREGATION
-- edge: app.login#at -> ml.churn#logins AGGREGATION
-- edge: app.sub#ends -> ml.churn#is_churned CONDITIONAL
-- edge: app.login#at -> ml.churn#is_churned CONDITIONAL
-- edge: app.user#id -> ml.churn JOIN
-- edge: app.login#user_id -> ml.churn JOIN
-- edge: app.sub#user_id -> ml.churn JOIN
-- edge: app.user#id -> ml.churn GROUP_BY
-- edge: app.user#joined -> ml.churn FILTER
-- completeness: complete

REPLACE INTO ml.churn (user_id, days_since, logins, is_churned)
SELECT u.id,
       DATEDIFF(CURDATE(), MAX(l.at)),
       COUNT(l.at),
       CASE WHEN MAX(s.ends) < CURDATE() OR MAX(l.at) < CURDATE() - INTERVAL 30 DAY THEN 1 ELSE 0 END
FROM app.user u
LEFT JOIN app.login l ON l.user_id = u.id
LEFT JOIN app.sub s ON s.user_id = u.id
WHERE u.joined < CURDATE() - INTERVAL 60 DAY
GROUP BY u.id;
