-- columns: dw.customer(id, lifetime, last_order)
-- columns: dw.orders(customer_id, total, placed)
-- edge: dw.orders#total -> dw.customer#lifetime AGGREGATION
-- edge: dw.orders#placed -> dw.customer#last_order AGGREGATION
-- edge: dw.customer#id -> dw.customer FILTER
-- edge: dw.orders#customer_id -> dw.customer FILTER
-- edge: dw.orders#customer_id -> dw.customer GROUP_BY
-- completeness: complete

UPDATE dw.customer c
SET lifetime = a.total, last_order = a.placed
FROM (
    SELECT customer_id, sum(total) AS total, max(placed) AS placed
    FROM dw.orders
    GROUP BY customer_id
) a
WHERE a.customer_id = c.id;
