-- columns: ods.sale(shop, cust, price, region)
-- columns: dw.s1(shop, price, ds)
-- columns: dw.s2(cust, ds)
-- edge: ods.sale#shop -> dw.s1#shop IDENTITY
-- edge: ods.sale#price -> dw.s1#price IDENTITY
-- edge: ods.sale#region -> dw.s1 FILTER
-- edge: ods.sale#cust -> dw.s2#cust IDENTITY
-- edge: ods.sale#region -> dw.s2 FILTER
-- completeness: complete

FROM ods.sale
INSERT OVERWRITE TABLE dw.s1 PARTITION (ds='1') SELECT shop, price WHERE region = 'north'
INSERT INTO TABLE dw.s2 PARTITION (ds='1') SELECT cust WHERE region = 'south';
