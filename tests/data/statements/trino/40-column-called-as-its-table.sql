-- completeness: complete
-- edge: dim.sku#sku -> dw.t#k IDENTITY

INSERT INTO dw.t (k) SELECT sku FROM dim.sku
