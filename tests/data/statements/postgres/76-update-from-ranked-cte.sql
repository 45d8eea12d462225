-- columns: crm.contact(contact_id, account_id, is_primary, score)
-- columns: crm.touch(contact_id, touched_at)
-- edge: crm.contact#account_id -> crm.contact#is_primary CONDITIONAL
-- edge: crm.touch#touched_at -> crm.contact#is_primary CONDITIONAL
-- edge: crm.contact#contact_id -> crm.contact FILTER
-- edge: crm.touch#contact_id -> crm.contact JOIN
-- edge: crm.contact#contact_id -> crm.contact JOIN
-- edge: crm.contact#contact_id -> crm.contact GROUP_BY
-- edge: crm.contact#account_id -> crm.contact GROUP_BY
-- completeness: complete

WITH last_touch AS (
    SELECT c.contact_id, c.account_id, max(t.touched_at) AS last_at
    FROM crm.contact c
    JOIN crm.touch t ON t.contact_id = c.contact_id
    GROUP BY c.contact_id, c.account_id
),
ranked AS (
    SELECT contact_id,
           row_number() OVER (PARTITION BY account_id ORDER BY last_at DESC) AS rn
    FROM last_touch
)
UPDATE crm.contact AS c
SET is_primary = CASE WHEN r.rn = 1 THEN true ELSE false END
FROM ranked r
WHERE r.contact_id = c.contact_id;
