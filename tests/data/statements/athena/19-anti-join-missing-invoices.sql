-- columns: erp.delivery(delivery_no, customer, value, delivered_on)
-- columns: erp.invoice(delivery_no, invoice_no, cancelled)
-- edge: erp.delivery#delivery_no -> rpt.uninvoiced#delivery_no IDENTITY
-- edge: erp.delivery#customer -> rpt.uninvoiced#customer IDENTITY
-- edge: erp.delivery#value -> rpt.uninvoiced#value IDENTITY
-- edge: erp.delivery#delivered_on -> rpt.uninvoiced#age_days TRANSFORMATION
-- edge: erp.delivery#delivery_no -> rpt.uninvoiced JOIN
-- edge: erp.invoice#delivery_no -> rpt.uninvoiced JOIN
-- edge: erp.invoice#cancelled -> rpt.uninvoiced JOIN
-- edge: erp.invoice#invoice_no -> rpt.uninvoiced FILTER
-- completeness: complete

CREATE TABLE rpt.uninvoiced AS
SELECT d.delivery_no,
       d.customer,
       d.value,
       date_diff('day', d.delivered_on, current_date) AS age_days
FROM erp.delivery d
LEFT JOIN erp.invoice i
  ON i.delivery_no = d.delivery_no AND i.cancelled = 'N'
WHERE i.invoice_no IS NULL
