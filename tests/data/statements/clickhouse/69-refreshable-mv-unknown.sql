-- edge: shop.customer#id -> mart.customer_value#customer_id IDENTITY
-- edge: shop.customer#segment -> mart.customer_value#segment IDENTITY
-- edge: shop.orders#total -> mart.customer_value#value AGGREGATION
-- edge: shop.orders#created_at -> mart.customer_value#last_order AGGREGATION
-- edge: shop.orders#customer_id -> mart.customer_value JOIN
-- edge: shop.customer#id -> mart.customer_value JOIN
-- edge: shop.orders#status -> mart.customer_value FILTER
-- edge: shop.customer#id -> mart.customer_value GROUP_BY
-- edge: shop.customer#segment -> mart.customer_value GROUP_BY
-- completeness: complete

CREATE MATERIALIZED VIEW mart.customer_value
REFRESH EVERY 1 HOUR
ENGINE = MergeTree ORDER BY customer_id
AS SELECT
    c.id AS customer_id,
    c.segment AS segment,
    sum(o.total) AS value,
    max(o.created_at) AS last_order
FROM shop.orders AS o
INNER JOIN shop.customer AS c ON o.customer_id = c.id
WHERE o.status = 'complete'
GROUP BY c.id, c.segment;
