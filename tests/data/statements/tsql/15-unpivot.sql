-- columns: dbo.m(id, jan, feb)
-- columns: mart.m(id, mon, amt)
-- edge: dbo.m#id -> mart.m#id IDENTITY
-- edge: dbo.m#jan -> mart.m#amt IDENTITY
-- edge: dbo.m#feb -> mart.m#amt IDENTITY
-- completeness: complete

INSERT INTO mart.m (id, mon, amt)
SELECT id, mon, amt FROM dbo.m UNPIVOT (amt FOR mon IN (jan, feb)) AS u;
