-- columns: main.bronze.orders(order_id, amount, ts)
-- edge: main.bronze.orders#order_id -> main.silver.orders_st#order_id IDENTITY
-- edge: main.bronze.orders#amount -> main.silver.orders_st#cents TRANSFORMATION
-- edge: main.bronze.orders#amount -> main.silver.orders_st FILTER
-- completeness: complete

CREATE OR REFRESH STREAMING TABLE main.silver.orders_st AS
SELECT order_id, CAST(amount * 100 AS BIGINT) AS cents
FROM STREAM(main.bronze.orders)
WHERE amount IS NOT NULL;
