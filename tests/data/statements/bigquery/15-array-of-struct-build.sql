-- database: acme
-- edge: acme.dw.lines#order_id -> acme.dw.nested#order_id IDENTITY
-- edge: acme.dw.lines#sku -> acme.dw.nested#items AGGREGATION
-- edge: acme.dw.lines#qty -> acme.dw.nested#items AGGREGATION
-- edge: acme.dw.lines#sku -> acme.dw.nested#items SORT
-- edge: acme.dw.lines#order_id -> acme.dw.nested GROUP_BY
-- completeness: any

CREATE OR REPLACE TABLE dw.nested AS
SELECT order_id, ARRAY_AGG(STRUCT(sku, qty) ORDER BY sku) AS items
FROM dw.lines
GROUP BY order_id;
