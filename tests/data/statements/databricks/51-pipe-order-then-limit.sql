-- columns: main.silver.s(store, sku, qty, price, d)
-- edge: main.silver.s#d -> main.gold.top FILTER
-- edge: main.silver.s#price -> main.gold.top SORT
-- edge: main.silver.s#price -> main.gold.top#rev AGGREGATION
-- edge: main.silver.s#qty -> main.gold.top SORT
-- edge: main.silver.s#qty -> main.gold.top#rev AGGREGATION
-- edge: main.silver.s#store -> main.gold.top GROUP_BY
-- edge: main.silver.s#store -> main.gold.top#store IDENTITY
-- completeness: complete

CREATE OR REPLACE TABLE main.gold.top AS
FROM main.silver.s
|> WHERE d >= '2024-01-01'
|> EXTEND qty * price AS amt
|> AGGREGATE sum(amt) AS rev GROUP BY store
|> ORDER BY rev DESC
|> LIMIT 10;
