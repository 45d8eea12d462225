-- columns: SHOP.WEB_LINE(ORDER_NO, SKU, QTY)
-- edge: SHOP.WEB_ORDER_DOC#ORDER_NO -> SHOP.WEB_LINE#ORDER_NO IDENTITY
-- edge: SHOP.WEB_ORDER_DOC#DOC -> SHOP.WEB_LINE#SKU TRANSFORMATION
-- edge: SHOP.WEB_ORDER_DOC#DOC -> SHOP.WEB_LINE#QTY TRANSFORMATION
-- edge: SHOP.WEB_ORDER_DOC#LOADED_AT -> SHOP.WEB_LINE FILTER
-- completeness: complete

INSERT INTO shop.web_line (order_no, sku, qty)
SELECT d.order_no, j.sku, j.qty
FROM shop.web_order_doc d,
     JSON_TABLE(d.doc, '$.lines[*]'
       COLUMNS (sku VARCHAR2(30) PATH '$.sku',
                qty NUMBER PATH '$.qty')) j
WHERE d.loaded_at > SYSDATE - 1;
