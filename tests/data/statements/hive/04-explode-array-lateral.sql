-- columns: ods.carts(cart_id, items, dt)
-- columns: dwd.cart_item(cart_id, item, pos)
-- edge: ods.carts#cart_id -> dwd.cart_item#cart_id IDENTITY
-- edge: ods.carts#items -> dwd.cart_item#item TRANSFORMATION
-- edge: ods.carts#items -> dwd.cart_item#pos TRANSFORMATION
-- edge: ods.carts#dt -> dwd.cart_item FILTER
-- completeness: complete

INSERT INTO TABLE dwd.cart_item
SELECT c.cart_id, i.item, i.pos
FROM ods.carts c
LATERAL VIEW posexplode(c.items) i AS pos, item
WHERE c.dt = '20240102';
