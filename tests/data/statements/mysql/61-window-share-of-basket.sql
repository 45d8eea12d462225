-- columns: shop.line(order_id, sku, amount)
-- columns: mart.line_share(order_id, sku, amount, share, rnk)
-- edge: shop.line#order_id -> mart.line_share#order_id IDENTITY
-- edge: shop.line#sku -> mart.line_share#sku IDENTITY
-- edge: shop.line#amount -> mart.line_share#amount IDENTITY
-- edge: shop.line#amount -> mart.line_share#share TRANSFORMATION
-- edge: shop.line#amount -> mart.line_share#share AGGREGATION
-- edge: shop.line#order_id -> mart.line_share#share WINDOW
-- edge: shop.line#order_id -> mart.line_share#rnk WINDOW
-- edge: shop.line#amount -> mart.line_share#rnk WINDOW
-- completeness: complete

INSERT INTO mart.line_share
SELECT order_id, sku, amount,
       amount / SUM(amount) OVER (PARTITION BY order_id),
       DENSE_RANK() OVER (PARTITION BY order_id ORDER BY amount DESC)
FROM shop.line;
