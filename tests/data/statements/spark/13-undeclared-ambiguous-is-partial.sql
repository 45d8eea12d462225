-- edge: raw.one#id -> mart.joined#a_id IDENTITY
-- edge: raw.two#val -> mart.joined#b_val IDENTITY
-- edge: raw.one#id -> mart.joined JOIN
-- edge: raw.two#one_id -> mart.joined JOIN
-- completeness: any

CREATE TABLE mart.joined AS
SELECT a.id AS a_id, b.val AS b_val
FROM raw.one a JOIN raw.two b ON a.id = b.one_id;
