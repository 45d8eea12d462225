-- database: acme
-- columns: acme.billing.subscription(subscription_id, plan_code, status, mrr_cents, updated_at)
-- columns: acme.landing.stripe_subscription(id, plan STRUCT<code STRING, amount INT64>, status, event_ts, deleted)
-- edge: acme.landing.stripe_subscription#id -> acme.billing.subscription#subscription_id IDENTITY
-- edge: acme.landing.stripe_subscription#plan.code -> acme.billing.subscription#plan_code IDENTITY
-- edge: acme.landing.stripe_subscription#status -> acme.billing.subscription#status IDENTITY
-- edge: acme.landing.stripe_subscription#plan.amount -> acme.billing.subscription#mrr_cents IDENTITY
-- edge: acme.landing.stripe_subscription#event_ts -> acme.billing.subscription#updated_at IDENTITY
-- edge: acme.billing.subscription#subscription_id -> acme.billing.subscription JOIN
-- edge: acme.landing.stripe_subscription#id -> acme.billing.subscription JOIN
-- edge: acme.landing.stripe_subscription#event_ts -> acme.billing.subscription FILTER
-- edge: acme.billing.subscription#updated_at -> acme.billing.subscription FILTER
-- edge: acme.landing.stripe_subscription#id -> acme.billing.subscription FILTER
-- edge: acme.landing.stripe_subscription#deleted -> acme.billing.subscription FILTER
-- completeness: complete

MERGE billing.subscription AS tgt
USING (
  SELECT id, plan.code AS plan_code, plan.amount AS mrr_cents, status, event_ts, deleted
  FROM landing.stripe_subscription
  WHERE event_ts >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 2 DAY)
  QUALIFY ROW_NUMBER() OVER (PARTITION BY id ORDER BY event_ts DESC) = 1
) AS src
ON tgt.subscription_id = src.id
WHEN MATCHED AND src.deleted THEN
  DELETE
WHEN MATCHED AND src.event_ts > tgt.updated_at THEN
  UPDATE SET plan_code = src.plan_code, status = src.status,
             mrr_cents = src.mrr_cents, updated_at = src.event_ts
WHEN NOT MATCHED AND NOT src.deleted THEN
  INSERT (subscription_id, plan_code, status, mrr_cents, updated_at)
  VALUES (src.id, src.plan_code, src.status, src.mrr_cents, src.event_ts);
