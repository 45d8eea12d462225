-- columns: dw.sale_all(src, ref, amount_eur, customer)
-- edge: shop.web_order#id -> dw.sale_all#ref TRANSFORMATION
-- edge: shop.store_order#receipt_no -> dw.sale_all#ref TRANSFORMATION
-- edge: shop.web_order#total -> dw.sale_all#amount_eur TRANSFORMATION
-- edge: ref.fx#rate -> dw.sale_all#amount_eur TRANSFORMATION
-- edge: shop.store_order#total -> dw.sale_all#amount_eur IDENTITY
-- edge: shop.web_order#customer_id -> dw.sale_all#customer IDENTITY
-- edge: shop.store_order#loyalty_no -> dw.sale_all#customer TRANSFORMATION
-- edge: shop.web_order#ccy -> dw.sale_all JOIN
-- edge: ref.fx#ccy -> dw.sale_all JOIN
-- edge: shop.web_order#status -> dw.sale_all FILTER
-- edge: shop.store_order#void -> dw.sale_all FILTER
-- completeness: complete

INSERT INTO dw.sale_all (src, ref, amount_eur, customer)
SELECT 'web', CONCAT('W', w.id), w.total * m.rate, w.customer_id
FROM shop.web_order w
JOIN ref.fx m ON m.ccy = w.ccy
WHERE w.status = 'paid'
UNION ALL
SELECT 'store', CONCAT('S', s.receipt_no), s.total, NULLIF(s.loyalty_no, '')
FROM shop.store_order s
WHERE s.void = 0;
