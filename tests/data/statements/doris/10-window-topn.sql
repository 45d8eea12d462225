-- columns: ads.top(cat, sku, rk)
-- edge: dws.s#cat -> ads.top#cat IDENTITY
-- edge: dws.s#sku -> ads.top#sku IDENTITY
-- edge: dws.s#cat -> ads.top#rk WINDOW
-- edge: dws.s#amt -> ads.top#rk WINDOW
-- edge: dws.s#cat -> ads.top FILTER
-- edge: dws.s#amt -> ads.top FILTER
-- completeness: any

INSERT INTO ads.top
SELECT cat, sku, rk FROM (
  SELECT cat, sku, RANK() OVER (PARTITION BY cat ORDER BY amt DESC) AS rk FROM dws.s
) x WHERE rk <= 3;
