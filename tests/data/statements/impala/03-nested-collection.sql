-- completeness: complete
-- edge: raw.c#id -> dw.n#id IDENTITY
-- edge: raw.c#orders.item.q -> dw.n FILTER
-- edge: raw.c#orders.item.sku -> dw.n#sku IDENTITY

INSERT INTO dw.n SELECT c.id, o.item.sku AS sku FROM raw.c c, c.orders o WHERE o.item.q > 1
