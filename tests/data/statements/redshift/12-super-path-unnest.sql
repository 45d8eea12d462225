-- columns: raw.c(id, orders)
-- edge: raw.c#id -> stg.c#id IDENTITY
-- edge: raw.c#orders.sku -> stg.c#sku IDENTITY
-- completeness: any
-- note: SUPER has no declared fields, so its path is told as a field

CREATE TABLE stg.c AS
SELECT c.id, o.sku AS sku
FROM raw.c AS c, c.orders AS o;
