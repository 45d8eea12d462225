-- note: FOR ORDINALITY counts rows
-- columns: app.cart(id, doc)
-- columns: dw.cart_item(cart_id, pos, sku, qty)
-- edge: app.cart#doc -> dw.cart_item FILTER
-- edge: app.cart#doc -> dw.cart_item#qty TRANSFORMATION
-- edge: app.cart#doc -> dw.cart_item#sku TRANSFORMATION
-- edge: app.cart#id -> dw.cart_item#cart_id IDENTITY
-- completeness: complete

INSERT INTO dw.cart_item (cart_id, pos, sku, qty)
SELECT c.id, j.pos, j.sku, j.qty
FROM app.cart c,
     JSON_TABLE(c.doc, '$.items[*]' COLUMNS (
       pos FOR ORDINALITY,
       sku VARCHAR(40) PATH '$.sku',
       qty INT PATH '$.qty' DEFAULT '1' ON EMPTY)) AS j
WHERE j.qty > 0;
