-- columns: DW.L(ID, SKU, QTY)
-- edge: RAW.D#ID -> DW.L#ID IDENTITY
-- edge: RAW.D#DOC -> DW.L#SKU TRANSFORMATION
-- edge: RAW.D#DOC -> DW.L#QTY TRANSFORMATION
-- completeness: any

INSERT INTO dw.l (id, sku, qty)
SELECT d.id, j.sku, j.qty
FROM raw.d d,
     JSON_TABLE(d.doc, '$.lines[*]' COLUMNS (sku VARCHAR2(20) PATH '$.sku', qty NUMBER PATH '$.qty')) j;
