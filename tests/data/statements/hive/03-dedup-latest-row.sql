-- columns: dim.customer(id, name, email)
-- edge: ods.customer_log#id -> dim.customer#id IDENTITY
-- edge: ods.customer_log#name -> dim.customer#name IDENTITY
-- edge: ods.customer_log#email -> dim.customer#email IDENTITY
-- edge: ods.customer_log#id -> dim.customer FILTER
-- edge: ods.customer_log#updated_at -> dim.customer FILTER
-- edge: ods.customer_log#dt -> dim.customer FILTER
-- completeness: any

INSERT OVERWRITE TABLE dim.customer
SELECT id, name, email
FROM (
    SELECT id, name, email,
           row_number() OVER (PARTITION BY id ORDER BY updated_at DESC) AS rn
    FROM ods.customer_log
    WHERE dt >= '2024-01-01'
) x
WHERE rn = 1;
