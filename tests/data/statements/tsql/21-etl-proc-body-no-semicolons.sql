-- columns: stg.sale(sale_id, cust_code, sku, qty, price, sold_at)
-- columns: dim.cust(cust_key, cust_code, is_current)
-- columns: dim.prod(prod_key, sku)
-- columns: fact.sale(sale_id, cust_key, prod_key, qty, amount, date_key)
-- columns: agg.day(date_key, amount, sales)
-- edge: stg.sale#sale_id -> fact.sale#sale_id IDENTITY
-- edge: dim.cust#cust_key -> fact.sale#cust_key TRANSFORMATION
-- edge: dim.prod#prod_key -> fact.sale#prod_key IDENTITY
-- edge: stg.sale#qty -> fact.sale#qty IDENTITY
-- edge: stg.sale#qty -> fact.sale#amount TRANSFORMATION
-- edge: stg.sale#price -> fact.sale#amount TRANSFORMATION
-- edge: stg.sale#sold_at -> fact.sale#date_key TRANSFORMATION
-- edge: stg.sale#cust_code -> fact.sale JOIN
-- edge: dim.cust#cust_code -> fact.sale JOIN
-- edge: dim.cust#is_current -> fact.sale JOIN
-- edge: stg.sale#sku -> fact.sale JOIN
-- edge: dim.prod#sku -> fact.sale JOIN
-- edge: stg.sale#qty -> fact.sale FILTER
-- edge: fact.sale#sale_id -> fact.sale FILTER
-- edge: stg.sale#sale_id -> fact.sale FILTER
-- edge: fact.sale#date_key -> agg.day#date_key IDENTITY
-- edge: fact.sale#amount -> agg.day#amount AGGREGATION
-- edge: fact.sale#sale_id -> agg.day#sales AGGREGATION
-- edge: fact.sale#date_key -> agg.day GROUP_BY
-- completeness: complete

SET NOCOUNT ON

IF OBJECT_ID('tempdb..#sale') IS NOT NULL DROP TABLE #sale

SELECT s.sale_id,
       ISNULL(c.cust_key, -1) AS cust_key,
       p.prod_key,
       s.qty,
       s.qty * s.price AS amount,
       CONVERT(int, CONVERT(varchar(8), s.sold_at, 112)) AS date_key
INTO #sale
FROM stg.sale AS s
LEFT JOIN dim.cust AS c ON c.cust_code = s.cust_code AND c.is_current = 1
JOIN dim.prod AS p ON p.sku = s.sku
WHERE s.qty > 0

INSERT INTO fact.sale (sale_id, cust_key, prod_key, qty, amount, date_key)
SELECT sale_id, cust_key, prod_key, qty, amount, date_key
FROM #sale AS n
WHERE NOT EXISTS (SELECT 1 FROM fact.sale AS f WHERE f.sale_id = n.sale_id)

TRUNCATE TABLE agg.day

INSERT INTO agg.day (date_key, amount, sales)
SELECT date_key, SUM(amount), COUNT(sale_id)
FROM fact.sale
GROUP BY date_key
