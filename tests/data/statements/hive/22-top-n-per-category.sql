-- columns: rpt.top_items(category, item_id, sold, rk)
-- edge: dws.item_sales#category -> rpt.top_items#category IDENTITY
-- edge: dws.item_sales#item_id -> rpt.top_items#item_id IDENTITY
-- edge: dws.item_sales#sold -> rpt.top_items#sold AGGREGATION
-- edge: dws.item_sales#category -> rpt.top_items#rk WINDOW
-- edge: dws.item_sales#sold -> rpt.top_items#rk WINDOW
-- edge: dws.item_sales#category -> rpt.top_items GROUP_BY
-- edge: dws.item_sales#item_id -> rpt.top_items GROUP_BY
-- edge: dws.item_sales#category -> rpt.top_items FILTER
-- edge: dws.item_sales#sold -> rpt.top_items FILTER
-- completeness: any

WITH agg AS (
  SELECT category, item_id, sum(sold) AS sold
  FROM dws.item_sales
  GROUP BY category, item_id
), ranked AS (
  SELECT category, item_id, sold, rank() OVER (PARTITION BY category ORDER BY sold DESC) AS rk
  FROM agg
)
INSERT OVERWRITE TABLE rpt.top_items
SELECT category, item_id, sold, rk FROM ranked WHERE rk <= 10;
