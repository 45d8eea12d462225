-- columns: billing.usage(acct_id, meter, qty, used_at, voided)
-- columns: billing.price(meter, tier_from, tier_to, unit_price, valid)
-- columns: crm.account(acct_id, name, plan_id, parent_id, closed_at)
-- columns: crm.plan(plan_id, label, free_qty)
-- columns: billing.invoice(acct_id, period, label, amount, usage_qty, status)
-- columns: billing.adjust(acct_id, amount, reason, at)
-- edge: crm.account#acct_id -> billing.invoice#acct_id IDENTITY
-- edge: billing.usage#used_at -> billing.invoice#period TRANSFORMATION
-- edge: crm.plan#label -> billing.invoice#label TRANSFORMATION
-- edge: crm.account#name -> billing.invoice#label TRANSFORMATION
-- edge: billing.usage#qty -> billing.invoice#amount AGGREGATION
-- edge: crm.plan#free_qty -> billing.invoice#amount AGGREGATION
-- edge: billing.price#unit_price -> billing.invoice#amount AGGREGATION
-- edge: billing.adjust#amount -> billing.invoice#amount AGGREGATION
-- edge: billing.usage#qty -> billing.invoice#usage_qty AGGREGATION
-- edge: billing.usage#voided -> billing.invoice FILTER
-- edge: billing.usage#used_at -> billing.invoice FILTER
-- edge: crm.account#closed_at -> billing.invoice FILTER
-- edge: billing.adjust#reason -> billing.invoice FILTER
-- edge: billing.adjust#at -> billing.invoice FILTER
-- edge: billing.price#valid -> billing.invoice FILTER
-- edge: billing.usage#acct_id -> billing.invoice JOIN
-- edge: crm.account#acct_id -> billing.invoice JOIN
-- edge: crm.account#plan_id -> billing.invoice JOIN
-- edge: crm.plan#plan_id -> billing.invoice JOIN
-- edge: billing.usage#meter -> billing.invoice JOIN
-- edge: billing.price#meter -> billing.invoice JOIN
-- edge: billing.usage#qty -> billing.invoice JOIN
-- edge: billing.price#tier_from -> billing.invoice JOIN
-- edge: billing.price#tier_to -> billing.invoice JOIN
-- edge: billing.adjust#acct_id -> billing.invoice JOIN
-- edge: billing.usage#acct_id -> billing.invoice GROUP_BY
-- edge: billing.usage#meter -> billing.invoice GROUP_BY
-- edge: billing.usage#used_at -> billing.invoice GROUP_BY
-- edge: billing.adjust#acct_id -> billing.invoice GROUP_BY
-- edge: crm.account#acct_id -> billing.invoice GROUP_BY
-- edge: crm.plan#label -> billing.invoice GROUP_BY
-- edge: crm.account#name -> billing.invoice GROUP_BY
-- completeness: complete
-- note: the usage of each meter is summed first, so what the tiers compare is that sum

INSERT INTO billing.invoice (acct_id, period, label, amount, usage_qty, status)
WITH metered AS (
    SELECT u.acct_id,
           u.meter,
           date_trunc('month', u.used_at) AS period,
           sum(u.qty) AS qty
    FROM billing.usage u
    WHERE NOT u.voided
      AND u.used_at >= date_trunc('month', now()) - interval '1 month'
      AND u.used_at < date_trunc('month', now())
    GROUP BY u.acct_id, u.meter, date_trunc('month', u.used_at)
),
credits AS (
    SELECT x.acct_id, sum(x.amount) AS amount
    FROM billing.adjust x
    WHERE x.reason <> 'test'
      AND x.at > now() - interval '45 days'
    GROUP BY x.acct_id
),
priced AS (
    SELECT a.acct_id,
           a.name,
           n.label,
           m.period,
           m.qty,
           greatest(m.qty - n.free_qty, 0) * p.unit_price AS amount
    FROM metered m
    JOIN crm.account a
      ON a.acct_id = m.acct_id
    JOIN crm.plan n
      ON n.plan_id = a.plan_id
    JOIN billing.price p
      ON p.meter = m.meter
     AND m.qty >= p.tier_from
     AND m.qty < p.tier_to
    WHERE a.closed_at IS NULL
      AND p.valid
)
SELECT q.acct_id,
       q.period,
       q.label || ' / ' || q.name,
       sum(q.amount) - coalesce(max(c.amount), 0),
       sum(q.qty),
       'draft'
FROM priced q
LEFT JOIN credits c
  ON c.acct_id = q.acct_id
GROUP BY q.acct_id, q.period, q.label, q.name
ON CONFLICT (acct_id, period) DO UPDATE
SET amount = EXCLUDED.amount,
    usage_qty = EXCLUDED.usage_qty,
    label = EXCLUDED.label;
