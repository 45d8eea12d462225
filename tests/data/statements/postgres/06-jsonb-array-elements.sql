-- columns: raw.doc(id, body)
-- edge: raw.doc#id -> stg.line#id IDENTITY
-- edge: raw.doc#body -> stg.line#sku TRANSFORMATION
-- edge: raw.doc#body -> stg.line#qty TRANSFORMATION
-- edge: raw.doc#body -> stg.line FILTER
-- completeness: complete

CREATE TABLE stg.line AS
SELECT d.id, e.value ->> 'sku' AS sku, (e.value ->> 'qty')::int AS qty
FROM raw.doc d
CROSS JOIN LATERAL jsonb_array_elements(d.body -> 'lines') AS e(value)
WHERE d.body ? 'lines';
