-- columns: d.orders(order_id, currency, price, order_time)
-- columns: d.rates(currency, rate, update_time)
-- edge: d.orders#order_id -> d.converted#order_id IDENTITY
-- edge: d.orders#price -> d.converted#eur TRANSFORMATION
-- edge: d.rates#rate -> d.converted#eur TRANSFORMATION
-- edge: d.orders#currency -> d.converted JOIN
-- edge: d.rates#currency -> d.converted JOIN
-- edge: d.orders#order_time -> d.converted JOIN
-- completeness: complete
-- note: which version of a rate is joined depends on the order's time

INSERT INTO d.converted (order_id, eur)
SELECT o.order_id, o.price * r.rate
FROM d.orders AS o
LEFT JOIN d.rates FOR SYSTEM_TIME AS OF o.order_time AS r ON o.currency = r.currency;
