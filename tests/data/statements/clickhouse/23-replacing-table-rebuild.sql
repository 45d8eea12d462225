-- columns: raw.price(sku, price, valid_from, src)
-- columns: ref.rate(src, rate)
-- edge: raw.price#sku -> dw.price_new#sku IDENTITY
-- edge: raw.price#valid_from -> dw.price_new#valid_from IDENTITY
-- edge: raw.price#price -> dw.price_new#eur TRANSFORMATION
-- edge: ref.rate#rate -> dw.price_new#eur TRANSFORMATION
-- edge: raw.price#price -> dw.price_new#prev_eur TRANSFORMATION
-- edge: ref.rate#rate -> dw.price_new#prev_eur TRANSFORMATION
-- edge: raw.price#sku -> dw.price_new#prev_eur WINDOW
-- edge: raw.price#valid_from -> dw.price_new#prev_eur WINDOW
-- edge: raw.price#src -> dw.price_new JOIN
-- edge: ref.rate#src -> dw.price_new JOIN
-- edge: raw.price#price -> dw.price_new FILTER
-- completeness: complete

CREATE TABLE dw.price_new
ENGINE = ReplacingMergeTree
ORDER BY (sku, valid_from)
AS
SELECT
    p.sku AS sku,
    p.valid_from AS valid_from,
    p.price * r.rate AS eur,
    lagInFrame(p.price * r.rate) OVER (PARTITION BY p.sku ORDER BY p.valid_from) AS prev_eur
FROM raw.price AS p
INNER JOIN ref.rate AS r USING (src)
WHERE p.price > 0;
