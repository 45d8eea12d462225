-- columns: src.invoice_head(inv_no, cust_no, inv_date, ccy, cancelled)
-- columns: src.invoice_line(inv_no, line_no, item, qty, net)
-- columns: dim.customer(cust_sk, cust_no, valid_from, valid_to)
-- columns: dim.item(item_sk, item, grp)
-- columns: ref.rate(ccy, rate_date, rate)
-- columns: fact.invoice(inv_no, line_no, cust_sk, item_sk, date_sk, qty, net_eur, grp_rank)
-- columns: agg.item_grp(grp, net_eur, inv_cnt)
-- edge: src.invoice_head#inv_no -> fact.invoice#inv_no IDENTITY
-- edge: src.invoice_line#line_no -> fact.invoice#line_no IDENTITY
-- edge: src.invoice_line#qty -> fact.invoice#qty IDENTITY
-- edge: dim.customer#cust_sk -> fact.invoice#cust_sk TRANSFORMATION
-- edge: dim.item#item_sk -> fact.invoice#item_sk TRANSFORMATION
-- edge: src.invoice_head#inv_date -> fact.invoice#date_sk TRANSFORMATION
-- edge: src.invoice_line#net -> fact.invoice#net_eur TRANSFORMATION
-- edge: ref.rate#rate -> fact.invoice#net_eur TRANSFORMATION
-- edge: dim.item#grp -> fact.invoice#grp_rank WINDOW
-- edge: src.invoice_line#net -> fact.invoice#grp_rank WINDOW
-- edge: ref.rate#rate -> fact.invoice#grp_rank WINDOW
-- edge: src.invoice_head#cancelled -> fact.invoice FILTER
-- edge: fact.invoice#inv_no -> fact.invoice FILTER
-- edge: src.invoice_head#inv_no -> fact.invoice FILTER
-- edge: src.invoice_head#inv_date -> fact.invoice FILTER
-- edge: src.invoice_head#inv_no -> fact.invoice JOIN
-- edge: src.invoice_line#inv_no -> fact.invoice JOIN
-- edge: src.invoice_head#cust_no -> fact.invoice JOIN
-- edge: dim.customer#cust_no -> fact.invoice JOIN
-- edge: src.invoice_head#inv_date -> fact.invoice JOIN
-- edge: dim.customer#valid_from -> fact.invoice JOIN
-- edge: dim.customer#valid_to -> fact.invoice JOIN
-- edge: src.invoice_line#item -> fact.invoice JOIN
-- edge: dim.item#item -> fact.invoice JOIN
-- edge: src.invoice_head#ccy -> fact.invoice JOIN
-- edge: ref.rate#ccy -> fact.invoice JOIN
-- edge: ref.rate#rate_date -> fact.invoice JOIN
-- edge: dim.item#grp -> agg.item_grp#grp IDENTITY
-- edge: fact.invoice#net_eur -> agg.item_grp#net_eur AGGREGATION
-- edge: fact.invoice#inv_no -> agg.item_grp#inv_cnt AGGREGATION
-- edge: fact.invoice#item_sk -> agg.item_grp JOIN
-- edge: dim.item#item_sk -> agg.item_grp JOIN
-- edge: dim.item#grp -> agg.item_grp GROUP_BY
-- completeness: complete

SET NOCOUNT ON;
SET XACT_ABORT ON;

DECLARE @from date = DATEADD(day, -7, CAST(GETDATE() AS date));

DROP TABLE IF EXISTS #head;

SELECT inv_no, cust_no, inv_date, ccy
INTO #head
FROM src.invoice_head
WHERE cancelled = 0
  AND inv_date >= @from;

BEGIN TRANSACTION;

DELETE f
FROM fact.invoice AS f
WHERE f.inv_no IN (SELECT h.inv_no FROM #head AS h);

INSERT INTO fact.invoice
    (inv_no, line_no, cust_sk, item_sk, date_sk, qty, net_eur, grp_rank)
SELECT
    h.inv_no,
    l.line_no,
    COALESCE(c.cust_sk, -1),
    COALESCE(i.item_sk, -1),
    YEAR(h.inv_date) * 10000 + MONTH(h.inv_date) * 100 + DAY(h.inv_date),
    l.qty,
    l.net * r.rate,
    ROW_NUMBER() OVER (PARTITION BY i.grp ORDER BY l.net * r.rate DESC)
FROM #head AS h
INNER JOIN src.invoice_line AS l
    ON l.inv_no = h.inv_no
LEFT JOIN dim.customer AS c
    ON c.cust_no = h.cust_no
   AND h.inv_date >= c.valid_from
   AND h.inv_date < c.valid_to
LEFT JOIN dim.item AS i
    ON i.item = l.item
LEFT JOIN ref.rate AS r
    ON r.ccy = h.ccy
   AND r.rate_date = h.inv_date;

TRUNCATE TABLE agg.item_grp;

INSERT INTO agg.item_grp (grp, net_eur, inv_cnt)
SELECT i.grp, SUM(f.net_eur), COUNT(DISTINCT f.inv_no)
FROM fact.invoice AS f
JOIN dim.item AS i ON i.item_sk = f.item_sk
GROUP BY i.grp;

COMMIT TRANSACTION;
