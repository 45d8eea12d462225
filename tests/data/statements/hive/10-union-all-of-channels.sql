-- columns: ods.web_sales(sku, qty, price)
-- columns: ods.store_sales(item_id, units, unit_price)
-- columns: dws.sales(channel, sku, qty, revenue)
-- edge: ods.web_sales#sku -> dws.sales#sku IDENTITY
-- edge: ods.store_sales#item_id -> dws.sales#sku IDENTITY
-- edge: ods.web_sales#qty -> dws.sales#qty IDENTITY
-- edge: ods.store_sales#units -> dws.sales#qty IDENTITY
-- edge: ods.web_sales#qty -> dws.sales#revenue TRANSFORMATION
-- edge: ods.web_sales#price -> dws.sales#revenue TRANSFORMATION
-- edge: ods.store_sales#units -> dws.sales#revenue TRANSFORMATION
-- edge: ods.store_sales#unit_price -> dws.sales#revenue TRANSFORMATION
-- edge: ods.store_sales#units -> dws.sales FILTER
-- completeness: complete

INSERT OVERWRITE TABLE dws.sales
SELECT channel, sku, qty, revenue
FROM (
    SELECT 'web' AS channel, sku, qty, qty * price AS revenue FROM ods.web_sales
    UNION ALL
    SELECT 'store', item_id, units, units * unit_price FROM ods.store_sales WHERE units > 0
) u;
