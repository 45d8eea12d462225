-- columns: dw.item(id, sku, loaded)
-- edge: dw.item#sku -> dw.item FILTER
-- edge: dw.item#id -> dw.item FILTER
-- completeness: complete

DELETE FROM dw.item a USING dw.item b WHERE a.sku = b.sku AND a.id < b.id;
