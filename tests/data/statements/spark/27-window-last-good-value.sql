-- edge: raw.s#dev -> silver.s#dev IDENTITY
-- edge: raw.s#ts -> silver.s#ts IDENTITY
-- edge: raw.s#val -> silver.s#filled CONDITIONAL
-- edge: raw.s#dev -> silver.s#filled WINDOW
-- edge: raw.s#ts -> silver.s#filled WINDOW
-- edge: raw.s#val -> silver.s#filled TRANSFORMATION
-- edge: raw.s#val -> silver.s#filled AGGREGATION
-- completeness: any

CREATE OR REPLACE TABLE silver.s AS
SELECT dev, ts,
       CASE WHEN val IS NULL THEN max(val) OVER (PARTITION BY dev ORDER BY ts) ELSE val END AS filled
FROM raw.s;
