-- columns: dwd.trade(order_no, member_id, store_no, pay_amt, pay_time, order_type, ds)
-- columns: dim.member(member_id, reg_date, mobile, ds)
-- columns: dim.store(store_no, area, is_test)
-- columns: ads.member_tier(member_id, area, orders, amt, last_pay, tier, amt_rank, ds)
-- edge: dwd.trade#member_id -> ads.member_tier#member_id IDENTITY
-- edge: dim.store#area -> ads.member_tier#area IDENTITY
-- edge: dwd.trade#order_no -> ads.member_tier#orders AGGREGATION
-- edge: dwd.trade#pay_amt -> ads.member_tier#amt AGGREGATION
-- edge: dwd.trade#order_type -> ads.member_tier#amt CONDITIONAL
-- edge: dwd.trade#pay_time -> ads.member_tier#last_pay AGGREGATION
-- edge: dwd.trade#pay_amt -> ads.member_tier#tier CONDITIONAL
-- edge: dwd.trade#order_type -> ads.member_tier#tier CONDITIONAL
-- edge: dim.member#reg_date -> ads.member_tier#tier CONDITIONAL
-- edge: dim.store#area -> ads.member_tier#amt_rank WINDOW
-- edge: dwd.trade#pay_amt -> ads.member_tier#amt_rank WINDOW
-- edge: dwd.trade#order_type -> ads.member_tier#amt_rank WINDOW
-- edge: dwd.trade#ds -> ads.member_tier FILTER
-- edge: dim.member#ds -> ads.member_tier FILTER
-- edge: dim.member#mobile -> ads.member_tier FILTER
-- edge: dim.store#is_test -> ads.member_tier FILTER
-- edge: dwd.trade#store_no -> ads.member_tier JOIN
-- edge: dim.store#store_no -> ads.member_tier JOIN
-- edge: dwd.trade#member_id -> ads.member_tier JOIN
-- edge: dim.member#member_id -> ads.member_tier JOIN
-- edge: dwd.trade#member_id -> ads.member_tier GROUP_BY
-- edge: dim.store#area -> ads.member_tier GROUP_BY
-- edge: dim.member#reg_date -> ads.member_tier GROUP_BY
-- completeness: complete

WITH pays AS (
    SELECT t.order_no, t.member_id, s.area, t.pay_time,
           CASE t.order_type WHEN 'R' THEN -t.pay_amt ELSE t.pay_amt END AS amt
    FROM dwd.trade t
    JOIN dim.store s ON t.store_no = s.store_no
    WHERE t.ds BETWEEN '20240101' AND '20240131'
      AND s.is_test = 0
),
members AS (
    SELECT member_id, reg_date
    FROM dim.member
    WHERE ds = '20240131' AND mobile IS NOT NULL
),
summed AS (
    SELECT p.member_id, p.area, m.reg_date,
           count(DISTINCT p.order_no) AS orders,
           sum(p.amt) AS amt,
           max(p.pay_time) AS last_pay
    FROM pays p
    JOIN members m ON p.member_id = m.member_id
    GROUP BY p.member_id, p.area, m.reg_date
)
INSERT OVERWRITE TABLE ads.member_tier PARTITION (ds = '20240131')
SELECT member_id, area, orders, amt, last_pay,
       CASE WHEN amt >= 10000 THEN 'A'
            WHEN amt >= 1000 AND reg_date < '2023-01-01' THEN 'B'
            ELSE 'C' END,
       rank() OVER (PARTITION BY area ORDER BY amt DESC)
FROM summed;
