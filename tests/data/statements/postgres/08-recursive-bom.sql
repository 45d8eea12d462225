-- edge: raw.bom#parent -> mart.bom#root IDENTITY
-- edge: raw.bom#child -> mart.bom#part IDENTITY
-- edge: raw.bom#qty -> mart.bom#qty TRANSFORMATION
-- edge: raw.bom#qty -> mart.bom#qty IDENTITY
-- edge: raw.bom#child -> mart.bom JOIN
-- edge: raw.bom#parent -> mart.bom JOIN
-- completeness: any

CREATE TABLE mart.bom AS
WITH RECURSIVE x (root, part, qty) AS (
    SELECT parent, child, qty FROM raw.bom
    UNION ALL
    SELECT x.root, b.child, x.qty * b.qty
    FROM x JOIN raw.bom b ON b.parent = x.part
)
SELECT root, part, qty FROM x;
