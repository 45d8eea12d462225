-- columns: raw.purchase(po_id, vendor_id, sku, qty, price, ordered, eta)
-- columns: raw.receipt(po_id, sku, qty, received)
-- columns: dim.vendor(vendor_id, name, country, terms struct<days:int,discount:double>)
-- columns: dim.sku(sku, category, weight)
-- edge: dim.vendor#name -> gold.vendor_score#vendor TRANSFORMATION
-- edge: dim.vendor#country -> gold.vendor_score#country IDENTITY
-- edge: dim.sku#category -> gold.vendor_score#category TRANSFORMATION
-- edge: raw.purchase#qty -> gold.vendor_score#spend AGGREGATION
-- edge: raw.purchase#price -> gold.vendor_score#spend AGGREGATION
-- edge: dim.vendor#terms.discount -> gold.vendor_score#spend AGGREGATION
-- edge: raw.receipt#received -> gold.vendor_score#late_share CONDITIONAL
-- edge: raw.purchase#eta -> gold.vendor_score#late_share CONDITIONAL
-- edge: raw.receipt#qty -> gold.vendor_score#fill_rate AGGREGATION
-- edge: raw.purchase#qty -> gold.vendor_score#fill_rate AGGREGATION
-- edge: dim.vendor#terms.days -> gold.vendor_score#days AGGREGATION
-- edge: dim.vendor#country -> gold.vendor_score#rk WINDOW
-- edge: raw.purchase#qty -> gold.vendor_score#rk WINDOW
-- edge: raw.purchase#price -> gold.vendor_score#rk WINDOW
-- edge: dim.vendor#terms.discount -> gold.vendor_score#rk WINDOW
-- edge: raw.purchase#ordered -> gold.vendor_score FILTER
-- edge: dim.sku#weight -> gold.vendor_score FILTER
-- edge: raw.receipt#received -> gold.vendor_score FILTER
-- edge: raw.purchase#qty -> gold.vendor_score FILTER
-- edge: raw.purchase#price -> gold.vendor_score FILTER
-- edge: dim.vendor#terms.discount -> gold.vendor_score FILTER
-- edge: dim.vendor#country -> gold.vendor_score FILTER
-- edge: raw.purchase#po_id -> gold.vendor_score JOIN
-- edge: raw.receipt#po_id -> gold.vendor_score JOIN
-- edge: raw.purchase#sku -> gold.vendor_score JOIN
-- edge: raw.receipt#sku -> gold.vendor_score JOIN
-- edge: dim.sku#sku -> gold.vendor_score JOIN
-- edge: raw.purchase#vendor_id -> gold.vendor_score JOIN
-- edge: dim.vendor#vendor_id -> gold.vendor_score JOIN
-- edge: raw.receipt#po_id -> gold.vendor_score GROUP_BY
-- edge: raw.receipt#sku -> gold.vendor_score GROUP_BY
-- edge: dim.vendor#name -> gold.vendor_score GROUP_BY
-- edge: dim.vendor#country -> gold.vendor_score GROUP_BY
-- edge: dim.sku#category -> gold.vendor_score GROUP_BY
-- completeness: complete
-- note: late_share is a mean over a CASE of constants, so received and eta only decide

CREATE OR REPLACE TABLE gold.vendor_score
USING delta
COMMENT 'vendors by what they deliver'
AS
WITH received AS (
  SELECT
    po_id,
    sku,
    sum(qty) AS qty,
    max(received) AS received
  FROM raw.receipt
  WHERE received IS NOT NULL
  GROUP BY po_id, sku
),
joined AS (
  SELECT
    p.vendor_id,
    p.sku,
    p.qty AS ordered_qty,
    coalesce(r.qty, 0) AS received_qty,
    p.qty * p.price AS gross,
    CASE
      WHEN r.received > p.eta THEN 1
      ELSE 0
    END AS is_late
  FROM raw.purchase p
  LEFT JOIN received r
    ON r.po_id = p.po_id
   AND r.sku = p.sku
  WHERE p.ordered >= '2024-01-01'
),
named AS (
  SELECT
    upper(v.name) AS vendor,
    v.country,
    nvl(k.category, 'n/a') AS category,
    j.gross * (1 - v.terms.discount) AS spend,
    j.is_late,
    j.received_qty,
    j.ordered_qty,
    v.terms.days AS days
  FROM joined j
  JOIN dim.vendor v
    ON v.vendor_id = j.vendor_id
  LEFT JOIN dim.sku k
    ON k.sku = j.sku
  WHERE k.weight IS NULL OR k.weight < 100
),
scored AS (
  SELECT
    vendor,
    country,
    category,
    sum(spend) AS spend,
    avg(is_late) AS late_share,
    sum(received_qty) / sum(ordered_qty) AS fill_rate,
    max(days) AS days
  FROM named
  GROUP BY vendor, country, category
)
SELECT *
FROM (
  SELECT
    *,
    row_number() OVER (PARTITION BY country ORDER BY spend DESC) AS rk
  FROM scored
)
WHERE rk <= 50;
