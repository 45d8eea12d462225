-- columns: sales.orders(id, amt)
-- edge: sales.orders#id -> sales.totals#id IDENTITY
-- edge: sales.orders#amt -> sales.totals#amt2 TRANSFORMATION
-- completeness: complete

SET search_path TO sales;
CREATE TABLE totals AS SELECT id, round(amt, 2) AS amt2 FROM orders;
