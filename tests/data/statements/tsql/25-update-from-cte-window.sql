-- columns: dbo.price(sku, from_dt, to_dt)
-- edge: dbo.price#from_dt -> dbo.price#to_dt TRANSFORMATION
-- edge: dbo.price#sku -> dbo.price#to_dt WINDOW
-- edge: dbo.price#from_dt -> dbo.price#to_dt WINDOW
-- completeness: complete

WITH n AS (
    SELECT sku, from_dt, to_dt,
           LEAD(from_dt) OVER (PARTITION BY sku ORDER BY from_dt) AS next_dt
    FROM dbo.price
)
UPDATE n SET to_dt = DATEADD(day, -1, next_dt);
