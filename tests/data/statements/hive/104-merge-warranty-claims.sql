-- columns: svc.claim(claim_id, vin, state, cost, updated_at)
-- columns: stg.claim_delta(claim_id, vin, state, cost, op, updated_at)
-- edge: stg.claim_delta#claim_id -> svc.claim#claim_id IDENTITY
-- edge: stg.claim_delta#vin -> svc.claim#vin IDENTITY
-- edge: stg.claim_delta#state -> svc.claim#state TRANSFORMATION
-- edge: stg.claim_delta#cost -> svc.claim#cost IDENTITY
-- edge: svc.claim#cost -> svc.claim#cost TRANSFORMATION
-- edge: stg.claim_delta#cost -> svc.claim#cost TRANSFORMATION
-- edge: stg.claim_delta#updated_at -> svc.claim#updated_at IDENTITY
-- edge: stg.claim_delta#claim_id -> svc.claim JOIN
-- edge: svc.claim#claim_id -> svc.claim JOIN
-- edge: stg.claim_delta#op -> svc.claim FILTER
-- edge: stg.claim_delta#updated_at -> svc.claim FILTER
-- edge: svc.claim#updated_at -> svc.claim FILTER
-- completeness: complete

SET hive.support.concurrency=true;
SET hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager;

MERGE INTO svc.claim AS t
USING stg.claim_delta AS d
ON t.claim_id = d.claim_id
WHEN MATCHED AND d.op = 'D' THEN DELETE
WHEN MATCHED AND d.updated_at > t.updated_at THEN UPDATE SET
  state = upper(d.state),
  cost = t.cost + d.cost,
  updated_at = d.updated_at
WHEN NOT MATCHED THEN INSERT VALUES
  (d.claim_id, d.vin, upper(d.state), d.cost, d.updated_at);
