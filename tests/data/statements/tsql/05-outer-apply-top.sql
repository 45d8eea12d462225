-- columns: dbo.cust(id, nm)
-- columns: dbo.orders(cust_id, placed, amt)
-- columns: mart.last(id, nm, placed, amt)
-- edge: dbo.cust#id -> mart.last#id IDENTITY
-- edge: dbo.cust#nm -> mart.last#nm IDENTITY
-- edge: dbo.orders#placed -> mart.last#placed IDENTITY
-- edge: dbo.orders#amt -> mart.last#amt IDENTITY
-- edge: dbo.orders#cust_id -> mart.last FILTER
-- edge: dbo.cust#id -> mart.last FILTER
-- edge: dbo.orders#placed -> mart.last SORT
-- completeness: complete

INSERT INTO mart.last (id, nm, placed, amt)
SELECT c.id, c.nm, x.placed, x.amt
FROM dbo.cust c
OUTER APPLY (
    SELECT TOP (1) o.placed, o.amt
    FROM dbo.orders o
    WHERE o.cust_id = c.id
    ORDER BY o.placed DESC
) x;
