-- columns: app.session(id, user_id, expires_at)
-- columns: app.session_token(id, session_id)
-- edge: app.session#id -> app.session JOIN
-- edge: app.session_token#session_id -> app.session JOIN
-- edge: app.session#expires_at -> app.session FILTER
-- edge: app.session#id -> app.session_token JOIN
-- edge: app.session_token#session_id -> app.session_token JOIN
-- edge: app.session#expires_at -> app.session_token FILTER
-- completeness: complete

DELETE s, t
FROM app.session AS s
LEFT JOIN app.session_token AS t ON t.session_id = s.id
WHERE s.expires_at < NOW() - INTERVAL 30 DAY;
