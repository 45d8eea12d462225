-- columns: main.dim.sku(sku, name)
-- columns: main.stg.sku(sku, live)
-- edge: main.dim.sku#sku -> main.dim.sku FILTER
-- edge: main.stg.sku#sku -> main.dim.sku FILTER
-- edge: main.stg.sku#live -> main.dim.sku FILTER
-- completeness: complete

DELETE FROM main.dim.sku AS t
WHERE NOT EXISTS (SELECT 1 FROM main.stg.sku s WHERE s.sku = t.sku AND s.live = true);
