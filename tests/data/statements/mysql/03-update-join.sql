-- columns: shop.orders(id, cust_id, region)
-- columns: shop.cust(id, region, active)
-- edge: shop.cust#region -> shop.orders#region IDENTITY
-- edge: shop.orders#cust_id -> shop.orders JOIN
-- edge: shop.cust#id -> shop.orders JOIN
-- edge: shop.cust#active -> shop.orders FILTER
-- completeness: complete

UPDATE shop.orders o
INNER JOIN shop.cust c ON c.id = o.cust_id
SET o.region = c.region
WHERE c.active = 1;
