-- columns: dbo.price(sku, p)
-- columns: dbo.o(sku, p)
-- edge: dbo.price#sku -> dbo.o#sku IDENTITY
-- edge: dbo.price#p -> dbo.o#p IDENTITY
-- completeness: complete

INSERT INTO dbo.o (sku, p) SELECT sku, p FROM dbo.price FOR SYSTEM_TIME AS OF '2024-01-01T00:00:00'
