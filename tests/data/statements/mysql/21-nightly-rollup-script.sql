-- columns: shop.orders(id, user_id, total, state, created)
-- columns: shop.items(order_id, sku, qty)
-- columns: rpt.daily(day, orders, total)
-- columns: rpt.sku(sku, qty, last_day)
-- edge: shop.orders#created -> rpt.daily#day TRANSFORMATION
-- edge: shop.orders#id -> rpt.daily#orders AGGREGATION
-- edge: shop.orders#total -> rpt.daily#total AGGREGATION
-- edge: shop.orders#state -> rpt.daily FILTER
-- edge: shop.orders#created -> rpt.daily GROUP_BY
-- edge: shop.items#sku -> rpt.sku#sku IDENTITY
-- edge: shop.items#qty -> rpt.sku#qty AGGREGATION
-- edge: shop.orders#created -> rpt.sku#last_day AGGREGATION
-- edge: shop.orders#state -> rpt.sku FILTER
-- edge: shop.orders#id -> rpt.sku JOIN
-- edge: shop.items#order_id -> rpt.sku JOIN
-- edge: shop.items#sku -> rpt.sku GROUP_BY
-- completeness: complete

CREATE TEMPORARY TABLE t_ok
SELECT id, user_id, total, created FROM shop.orders WHERE state = 'paid';

DELETE FROM rpt.daily;
INSERT INTO rpt.daily (day, orders, total)
SELECT DATE(created), COUNT(id), SUM(total) FROM t_ok GROUP BY DATE(created);

DELETE FROM rpt.sku;
INSERT INTO rpt.sku (sku, qty, last_day)
SELECT i.sku, SUM(i.qty), MAX(t.created)
FROM t_ok t
JOIN shop.items i ON i.order_id = t.id
GROUP BY i.sku;

DROP TEMPORARY TABLE t_ok;
