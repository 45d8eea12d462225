-- columns: app.o(id, doc)
-- columns: dw.ol(id, sku, qty)
-- edge: app.o#id -> dw.ol#id IDENTITY
-- edge: app.o#doc -> dw.ol#sku TRANSFORMATION
-- edge: app.o#doc -> dw.ol#qty TRANSFORMATION
-- completeness: complete

INSERT INTO dw.ol
SELECT o.id, j.sku, j.qty
FROM app.o o,
     JSON_TABLE(o.doc, '$.lines[*]' COLUMNS (sku VARCHAR(32) PATH '$.sku', qty INT PATH '$.qty')) AS j;
