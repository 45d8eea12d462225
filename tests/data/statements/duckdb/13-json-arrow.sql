-- edge: raw.j#doc -> dw.j#u TRANSFORMATION
-- edge: raw.j#doc -> dw.j#n TRANSFORMATION
-- edge: raw.j#at -> dw.j FILTER
-- completeness: any

CREATE TABLE dw.j AS
SELECT doc ->> '$.user' AS u, CAST(doc ->> '$.n' AS INT) AS n FROM raw.j WHERE at > DATE '2024-01-01';
