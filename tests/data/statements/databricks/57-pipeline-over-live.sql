-- database: main.shop
-- columns: main.raw.orders(id, amount, state, at)
-- edge: main.raw.orders#id -> main.shop.orders#id IDENTITY
-- edge: main.raw.orders#amount -> main.shop.orders#amount TRANSFORMATION
-- edge: main.raw.orders#at -> main.shop.orders#day TRANSFORMATION
-- edge: main.raw.orders#id -> main.shop.orders FILTER
-- edge: main.raw.orders#state -> main.shop.orders FILTER
-- edge: main.shop.orders#day -> main.shop.daily#day IDENTITY
-- edge: main.shop.orders#amount -> main.shop.daily#spent AGGREGATION
-- edge: main.shop.orders#day -> main.shop.daily GROUP_BY
-- completeness: complete
-- note: LIVE is the schema that the pipeline writes

CREATE OR REFRESH STREAMING LIVE TABLE orders (
  CONSTRAINT has_id EXPECT (id IS NOT NULL) ON VIOLATION DROP ROW
) COMMENT 'paid orders' AS
SELECT id, CAST(amount AS DECIMAL(10, 2)) AS amount, to_date(at) AS day
FROM STREAM(main.raw.orders)
WHERE state = 'paid';

CREATE OR REFRESH LIVE TABLE daily AS
SELECT day, sum(amount) AS spent
FROM LIVE.orders
GROUP BY day;
