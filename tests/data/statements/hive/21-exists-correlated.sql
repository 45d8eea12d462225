-- columns: ods.orders(id, cust, amt)
-- columns: ods.blacklist(cust, active)
-- columns: dwd.clean_orders(id, cust, amt)
-- edge: ods.orders#id -> dwd.clean_orders#id IDENTITY
-- edge: ods.orders#cust -> dwd.clean_orders#cust IDENTITY
-- edge: ods.orders#amt -> dwd.clean_orders#amt IDENTITY
-- edge: ods.orders#cust -> dwd.clean_orders FILTER
-- edge: ods.blacklist#cust -> dwd.clean_orders FILTER
-- edge: ods.blacklist#active -> dwd.clean_orders FILTER
-- completeness: complete

INSERT OVERWRITE TABLE dwd.clean_orders
SELECT o.id, o.cust, o.amt
FROM ods.orders o
WHERE NOT EXISTS (SELECT 1 FROM ods.blacklist b WHERE b.cust = o.cust AND b.active = 'Y');
