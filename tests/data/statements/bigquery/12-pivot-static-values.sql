-- database: acme
-- columns: acme.mart.q(region, quarter, sales)
-- edge: acme.mart.q#region -> acme.mart.qp#region IDENTITY
-- edge: acme.mart.q#sales -> acme.mart.qp#Q1 AGGREGATION
-- edge: acme.mart.q#quarter -> acme.mart.qp#Q1 CONDITIONAL
-- edge: acme.mart.q#sales -> acme.mart.qp#Q2 AGGREGATION
-- edge: acme.mart.q#quarter -> acme.mart.qp#Q2 CONDITIONAL
-- edge: acme.mart.q#region -> acme.mart.qp GROUP_BY
-- completeness: complete

CREATE TABLE mart.qp AS
SELECT * FROM (SELECT region, quarter, sales FROM mart.q)
PIVOT (SUM(sales) FOR quarter IN ('Q1', 'Q2'));
