-- columns: DW.INV(SKU, QTY, UPD)
-- columns: STG.INV(SKU, QTY, FLAG)
-- edge: STG.INV#SKU -> DW.INV#SKU IDENTITY
-- edge: STG.INV#QTY -> DW.INV#QTY IDENTITY
-- edge: DW.INV#SKU -> DW.INV JOIN
-- edge: STG.INV#SKU -> DW.INV JOIN
-- edge: DW.INV#QTY -> DW.INV FILTER
-- edge: STG.INV#FLAG -> DW.INV FILTER
-- completeness: complete

MERGE INTO dw.inv t
USING stg.inv s
ON (t.sku = s.sku)
WHEN MATCHED THEN
  UPDATE SET t.qty = s.qty, t.upd = SYSDATE
  DELETE WHERE (t.qty = 0)
WHEN NOT MATCHED THEN
  INSERT (t.sku, t.qty, t.upd) VALUES (s.sku, s.qty, SYSDATE)
  WHERE (s.flag = 'Y');
