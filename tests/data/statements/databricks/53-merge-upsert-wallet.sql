-- columns: prod.silver.wallet(wallet_id, owner_id, balance, last_txn_at)
-- columns: prod.bronze.wallet_txn(txn_id, wallet_id, owner_id, delta, txn_at)
-- edge: prod.bronze.wallet_txn#wallet_id -> prod.silver.wallet#wallet_id IDENTITY
-- edge: prod.bronze.wallet_txn#owner_id -> prod.silver.wallet#owner_id IDENTITY
-- edge: prod.silver.wallet#balance -> prod.silver.wallet#balance TRANSFORMATION
-- edge: prod.bronze.wallet_txn#delta -> prod.silver.wallet#balance AGGREGATION
-- edge: prod.bronze.wallet_txn#txn_at -> prod.silver.wallet#last_txn_at AGGREGATION
-- edge: prod.silver.wallet#wallet_id -> prod.silver.wallet JOIN
-- edge: prod.bronze.wallet_txn#wallet_id -> prod.silver.wallet JOIN
-- edge: prod.bronze.wallet_txn#txn_at -> prod.silver.wallet FILTER
-- edge: prod.bronze.wallet_txn#wallet_id -> prod.silver.wallet GROUP_BY
-- edge: prod.bronze.wallet_txn#owner_id -> prod.silver.wallet GROUP_BY
-- completeness: complete

MERGE INTO prod.silver.wallet AS t
USING (
  SELECT wallet_id, owner_id, sum(delta) AS delta, max(txn_at) AS txn_at
  FROM prod.bronze.wallet_txn
  WHERE txn_at >= current_date() - INTERVAL 1 DAY
  GROUP BY wallet_id, owner_id
) AS s
ON t.wallet_id = s.wallet_id
WHEN MATCHED THEN UPDATE SET
  t.balance = t.balance + s.delta,
  t.last_txn_at = s.txn_at
WHEN NOT MATCHED THEN INSERT (wallet_id, owner_id, balance, last_txn_at)
  VALUES (s.wallet_id, s.owner_id, s.delta, s.txn_at);
