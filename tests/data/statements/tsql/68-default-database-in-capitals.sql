-- database: Reporting.dbo
-- edge: erp.dbo.salesheader#orderno -> reporting.dbo.ordertotal#orderno IDENTITY
-- edge: erp.dbo.salesheader#customername -> reporting.dbo.ordertotal#customer TRANSFORMATION
-- edge: erp.dbo.salesline#qty -> reporting.dbo.ordertotal#total AGGREGATION
-- edge: erp.dbo.salesline#unitprice -> reporting.dbo.ordertotal#total AGGREGATION
-- edge: erp.dbo.salesheader#orderno -> reporting.dbo.ordertotal JOIN
-- edge: erp.dbo.salesline#orderno -> reporting.dbo.ordertotal JOIN
-- edge: erp.dbo.salesheader#status -> reporting.dbo.ordertotal FILTER
-- edge: erp.dbo.salesheader#orderno -> reporting.dbo.ordertotal GROUP_BY
-- edge: erp.dbo.salesheader#customername -> reporting.dbo.ordertotal GROUP_BY
-- completeness: complete

INSERT INTO OrderTotal (OrderNo, Customer, Total)
SELECT h.OrderNo, RTRIM(h.CustomerName), SUM(l.Qty * l.UnitPrice)
FROM Erp.dbo.SalesHeader AS h
INNER JOIN Erp.dbo.SalesLine AS l ON l.OrderNo = h.OrderNo
WHERE h.Status IN ('P', 'S')
GROUP BY h.OrderNo, RTRIM(h.CustomerName);
