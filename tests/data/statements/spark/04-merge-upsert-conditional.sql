-- columns: silver.accounts(id, email, status, version, deleted_at)
-- columns: bronze.accounts_cdc(id, email, status, version, op)
-- edge: bronze.accounts_cdc#id -> silver.accounts#id IDENTITY
-- edge: bronze.accounts_cdc#email -> silver.accounts#email IDENTITY
-- edge: bronze.accounts_cdc#status -> silver.accounts#status IDENTITY
-- edge: bronze.accounts_cdc#version -> silver.accounts#version IDENTITY
-- edge: silver.accounts#id -> silver.accounts JOIN
-- edge: bronze.accounts_cdc#id -> silver.accounts JOIN
-- edge: bronze.accounts_cdc#op -> silver.accounts FILTER
-- edge: bronze.accounts_cdc#version -> silver.accounts FILTER
-- edge: silver.accounts#version -> silver.accounts FILTER
-- completeness: complete

MERGE INTO silver.accounts AS t
USING bronze.accounts_cdc AS s
ON t.id = s.id
WHEN MATCHED AND s.op = 'delete' THEN UPDATE SET t.deleted_at = current_timestamp()
WHEN MATCHED AND s.version > t.version THEN UPDATE SET
  t.email = s.email, t.status = s.status, t.version = s.version
WHEN NOT MATCHED AND s.op <> 'delete' THEN INSERT (id, email, status, version)
  VALUES (s.id, s.email, s.status, s.version);
