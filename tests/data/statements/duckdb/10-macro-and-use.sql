-- edge: raw.s#net -> mart.s#gross TRANSFORMATION
-- edge: raw.s#rate -> mart.s#gross TRANSFORMATION
-- completeness: any

CREATE MACRO gross(n, r) AS n * (1 + r);
CREATE TABLE mart.s AS SELECT gross(net, rate) AS gross FROM raw.s;
