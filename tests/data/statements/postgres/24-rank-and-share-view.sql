-- columns: dw.sales(region, rep, amt, day)
-- columns: dim.rep(rep, name, left_on)
-- edge: dw.sales#region -> rpt.rep_rank#region IDENTITY
-- edge: dim.rep#name -> rpt.rep_rank#name TRANSFORMATION
-- edge: dw.sales#amt -> rpt.rep_rank#amt AGGREGATION
-- edge: dw.sales#amt -> rpt.rep_rank#share AGGREGATION
-- edge: dw.sales#region -> rpt.rep_rank#share WINDOW
-- edge: dw.sales#region -> rpt.rep_rank#rk WINDOW
-- edge: dw.sales#amt -> rpt.rep_rank#rk WINDOW
-- edge: dw.sales#rep -> rpt.rep_rank JOIN
-- edge: dim.rep#rep -> rpt.rep_rank JOIN
-- edge: dw.sales#day -> rpt.rep_rank FILTER
-- edge: dim.rep#left_on -> rpt.rep_rank FILTER
-- edge: dw.sales#region -> rpt.rep_rank GROUP_BY
-- edge: dim.rep#name -> rpt.rep_rank GROUP_BY
-- completeness: complete

CREATE VIEW rpt.rep_rank AS
WITH m AS (
    SELECT s.region, initcap(r.name) AS name, sum(s.amt) AS amt
    FROM dw.sales s
    JOIN dim.rep r USING (rep)
    WHERE s.day >= date_trunc('month', current_date)
      AND r.left_on IS NULL
    GROUP BY s.region, r.name
)
SELECT region, name, amt,
       amt / sum(amt) OVER (PARTITION BY region) AS share,
       rank() OVER (PARTITION BY region ORDER BY amt DESC) AS rk
FROM m;
