-- columns: dw.user(id, email, created)
-- edge: app.user#id -> dw.user#id IDENTITY
-- edge: app.user#created -> dw.user#created IDENTITY
-- edge: app.user#email -> dw.user#email TRANSFORMATION
-- edge: app.user#created -> dw.user FILTER
-- completeness: any

REPLACE INTO dw.user (id, email, created)
SELECT id, LOWER(email), created FROM app.user WHERE created >= CURDATE() - INTERVAL 1 DAY;
