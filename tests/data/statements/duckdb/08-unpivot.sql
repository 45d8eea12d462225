-- columns: raw.m(id, jan, feb)
-- edge: raw.m#id -> mart.m#id IDENTITY
-- edge: raw.m#jan -> mart.m#amt IDENTITY
-- edge: raw.m#feb -> mart.m#amt IDENTITY
-- completeness: complete

CREATE TABLE mart.m AS
SELECT id, mon, amt FROM (UNPIVOT raw.m ON jan, feb INTO NAME mon VALUE amt);
