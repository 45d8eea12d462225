-- columns: lake.customer(cust_id, email, segment, updated_at, is_deleted)
-- columns: raw_db.customer_cdc(cust_id, email, segment, op, commit_ts)
-- edge: raw_db.customer_cdc#cust_id -> lake.customer#cust_id IDENTITY
-- edge: raw_db.customer_cdc#email -> lake.customer#email IDENTITY
-- edge: raw_db.customer_cdc#segment -> lake.customer#segment IDENTITY
-- edge: raw_db.customer_cdc#commit_ts -> lake.customer#updated_at IDENTITY
-- edge: lake.customer#cust_id -> lake.customer JOIN
-- edge: raw_db.customer_cdc#cust_id -> lake.customer JOIN
-- edge: raw_db.customer_cdc#op -> lake.customer FILTER
-- edge: raw_db.customer_cdc#cust_id -> lake.customer FILTER
-- edge: raw_db.customer_cdc#commit_ts -> lake.customer FILTER
-- completeness: complete

MERGE INTO lake.customer t
USING (
  SELECT * FROM (
    SELECT cust_id, email, segment, op, commit_ts,
           row_number() OVER (PARTITION BY cust_id ORDER BY commit_ts DESC) AS rn
    FROM raw_db.customer_cdc
  ) x WHERE rn = 1
) s
ON t.cust_id = s.cust_id
WHEN MATCHED AND s.op = 'D' THEN DELETE
WHEN MATCHED THEN UPDATE SET email = s.email, segment = s.segment, updated_at = s.commit_ts
WHEN NOT MATCHED AND s.op <> 'D' THEN
  INSERT (cust_id, email, segment, updated_at, is_deleted)
  VALUES (s.cust_id, s.email, s.segment, s.commit_ts, false)
