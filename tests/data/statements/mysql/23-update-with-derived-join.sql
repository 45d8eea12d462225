-- columns: shop.cust(id, spent, last_at)
-- columns: shop.orders(cust_id, total, at, state)
-- edge: shop.orders#total -> shop.cust#spent AGGREGATION
-- edge: shop.orders#at -> shop.cust#last_at AGGREGATION
-- edge: shop.cust#id -> shop.cust JOIN
-- edge: shop.orders#cust_id -> shop.cust JOIN
-- edge: shop.orders#state -> shop.cust FILTER
-- edge: shop.orders#cust_id -> shop.cust GROUP_BY
-- completeness: complete

UPDATE shop.cust AS c
JOIN (
  SELECT cust_id, SUM(total) AS spent, MAX(at) AS last_at
  FROM shop.orders
  WHERE state = 'done'
  GROUP BY cust_id
) AS o ON o.cust_id = c.id
SET c.spent = o.spent, c.last_at = o.last_at;
