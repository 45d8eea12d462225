-- columns: main.silver.movement(sku, wh, qty, kind, moved_at)
-- columns: main.silver.count(sku, wh, counted, counted_at)
-- columns: main.ref.product(sku, name, cost, discontinued)
-- columns: main.gold.stock(sku, wh, product, on_hand, value, age_days, status)
-- edge: main.silver.count#sku -> main.gold.stock#sku IDENTITY
-- edge: main.silver.count#wh -> main.gold.stock#wh IDENTITY
-- edge: main.ref.product#name -> main.gold.stock#product IDENTITY
-- edge: main.silver.movement#qty -> main.gold.stock#on_hand AGGREGATION
-- edge: main.silver.movement#kind -> main.gold.stock#on_hand CONDITIONAL
-- edge: main.silver.count#counted -> main.gold.stock#on_hand TRANSFORMATION
-- edge: main.silver.count#counted -> main.gold.stock#value TRANSFORMATION
-- edge: main.ref.product#cost -> main.gold.stock#value TRANSFORMATION
-- edge: main.silver.movement#qty -> main.gold.stock#value AGGREGATION
-- edge: main.silver.movement#kind -> main.gold.stock#value CONDITIONAL
-- edge: main.silver.count#counted_at -> main.gold.stock#age_days TRANSFORMATION
-- edge: main.silver.count#counted -> main.gold.stock#status CONDITIONAL
-- edge: main.silver.movement#qty -> main.gold.stock#status CONDITIONAL
-- edge: main.silver.movement#kind -> main.gold.stock#status CONDITIONAL
-- edge: main.ref.product#discontinued -> main.gold.stock#status CONDITIONAL
-- edge: main.silver.count#sku -> main.gold.stock FILTER
-- edge: main.silver.count#wh -> main.gold.stock FILTER
-- edge: main.silver.count#counted_at -> main.gold.stock FILTER
-- edge: main.silver.movement#sku -> main.gold.stock JOIN
-- edge: main.silver.count#sku -> main.gold.stock JOIN
-- edge: main.silver.movement#wh -> main.gold.stock JOIN
-- edge: main.silver.count#wh -> main.gold.stock JOIN
-- edge: main.silver.movement#moved_at -> main.gold.stock JOIN
-- edge: main.silver.count#counted_at -> main.gold.stock JOIN
-- edge: main.ref.product#sku -> main.gold.stock JOIN
-- edge: main.silver.count#sku -> main.gold.stock GROUP_BY
-- edge: main.silver.count#wh -> main.gold.stock GROUP_BY
-- edge: main.silver.count#counted -> main.gold.stock GROUP_BY
-- edge: main.silver.count#counted_at -> main.gold.stock GROUP_BY
-- completeness: complete

INSERT OVERWRITE main.gold.stock
WITH last_count AS (
  SELECT sku, wh, counted, counted_at
  FROM main.silver.count
  QUALIFY row_number() OVER (PARTITION BY sku, wh ORDER BY counted_at DESC) = 1
),
net AS (
  SELECT l.sku, l.wh, l.counted, l.counted_at,
         sum(CASE WHEN m.kind = 'in' THEN m.qty ELSE -m.qty END) AS delta
  FROM last_count l
  LEFT JOIN main.silver.movement m
    ON m.sku = l.sku AND m.wh = l.wh AND m.moved_at > l.counted_at
  GROUP BY l.sku, l.wh, l.counted, l.counted_at
)
SELECT n.sku,
       n.wh,
       p.name,
       n.counted + coalesce(n.delta, 0) AS on_hand,
       (n.counted + coalesce(n.delta, 0)) * p.cost AS value,
       datediff(current_date(), n.counted_at) AS age_days,
       CASE WHEN p.discontinued THEN 'out'
            WHEN n.counted + coalesce(n.delta, 0) < 10 THEN 'low'
            ELSE 'ok' END AS status
FROM net n
JOIN main.ref.product p ON p.sku = n.sku;
