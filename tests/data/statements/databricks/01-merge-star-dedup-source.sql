-- columns: main.silver.users(id, email, updated_at)
-- columns: main.bronze.users_raw(id, email, updated_at)
-- edge: main.bronze.users_raw#id -> main.silver.users#id IDENTITY
-- edge: main.bronze.users_raw#email -> main.silver.users#email IDENTITY
-- edge: main.bronze.users_raw#updated_at -> main.silver.users#updated_at IDENTITY
-- edge: main.silver.users#id -> main.silver.users JOIN
-- edge: main.bronze.users_raw#id -> main.silver.users JOIN
-- edge: main.bronze.users_raw#id -> main.silver.users FILTER
-- edge: main.bronze.users_raw#updated_at -> main.silver.users FILTER
-- completeness: complete

MERGE INTO main.silver.users AS t
USING (
  SELECT id, email, updated_at
  FROM main.bronze.users_raw
  QUALIFY row_number() OVER (PARTITION BY id ORDER BY updated_at DESC) = 1
) AS s
ON t.id = s.id
WHEN MATCHED THEN UPDATE SET *
WHEN NOT MATCHED THEN INSERT *;
