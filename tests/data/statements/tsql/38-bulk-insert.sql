-- edge: file:/loads/orders.csv -> dbo.orders TRANSFORMATION
-- completeness: any

BULK INSERT dbo.orders FROM '/loads/orders.csv' WITH (FIELDTERMINATOR = ',', FIRSTROW = 2)
