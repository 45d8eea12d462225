-- columns: dw.line(id, sku, qty)
-- edge: raw.doc#id -> dw.line#id IDENTITY
-- edge: raw.doc#body -> dw.line#sku TRANSFORMATION
-- edge: raw.doc#body -> dw.line#qty TRANSFORMATION
-- completeness: any

INSERT INTO dw.line (id, sku, qty)
SELECT d.id, j.sku, j.qty
FROM raw.doc d
CROSS APPLY OPENJSON(d.body, '$.lines') WITH (sku varchar(20) '$.sku', qty int '$.qty') AS j;
