-- columns: ods.ord(order_id, buyer_id, shop_id, pay_amt, coupon_id, created, status, dt)
-- columns: dim.buyer(buyer_id, level_code, city_id, dt)
-- columns: dim.shop(shop_id, shop_name, main_cat)
-- columns: ods.coupon(coupon_id, face_amt, kind)
-- columns: ods.refund(order_id, refund_amt, state, dt)
-- columns: dwd.order_wide(order_id, buyer_id, buyer_level, shop_name, gross, coupon_amt, refund_amt, net, is_new_buyer, dt)
-- edge: ods.ord#order_id -> dwd.order_wide#order_id IDENTITY
-- edge: ods.ord#buyer_id -> dwd.order_wide#buyer_id IDENTITY
-- edge: dim.buyer#level_code -> dwd.order_wide#buyer_level TRANSFORMATION
-- edge: dim.shop#shop_name -> dwd.order_wide#shop_name IDENTITY
-- edge: ods.ord#pay_amt -> dwd.order_wide#gross IDENTITY
-- edge: ods.coupon#kind -> dwd.order_wide#coupon_amt CONDITIONAL
-- edge: ods.coupon#face_amt -> dwd.order_wide#coupon_amt TRANSFORMATION
-- edge: ods.refund#refund_amt -> dwd.order_wide#refund_amt AGGREGATION
-- edge: ods.ord#pay_amt -> dwd.order_wide#net TRANSFORMATION
-- edge: ods.refund#refund_amt -> dwd.order_wide#net AGGREGATION
-- edge: ods.ord#created -> dwd.order_wide#is_new_buyer CONDITIONAL
-- edge: ods.ord#buyer_id -> dwd.order_wide#is_new_buyer CONDITIONAL
-- edge: ods.ord#dt -> dwd.order_wide FILTER
-- edge: ods.ord#status -> dwd.order_wide FILTER
-- edge: ods.refund#state -> dwd.order_wide FILTER
-- edge: ods.refund#dt -> dwd.order_wide FILTER
-- edge: dim.buyer#dt -> dwd.order_wide FILTER
-- edge: ods.ord#buyer_id -> dwd.order_wide JOIN
-- edge: dim.buyer#buyer_id -> dwd.order_wide JOIN
-- edge: ods.ord#shop_id -> dwd.order_wide JOIN
-- edge: dim.shop#shop_id -> dwd.order_wide JOIN
-- edge: ods.ord#coupon_id -> dwd.order_wide JOIN
-- edge: ods.coupon#coupon_id -> dwd.order_wide JOIN
-- edge: ods.ord#order_id -> dwd.order_wide JOIN
-- edge: ods.refund#order_id -> dwd.order_wide JOIN
-- edge: ods.refund#order_id -> dwd.order_wide GROUP_BY
-- completeness: complete
-- note: what a window numbered by decides, asked in a CASE, as a condition

INSERT OVERWRITE TABLE dwd.order_wide PARTITION (dt = '${hivevar:dt}')
SELECT
    o.order_id,
    o.buyer_id,
    coalesce(u.level_code, 'L0')                                   AS buyer_level,
    s.shop_name,
    o.pay_amt                                                      AS gross,
    CASE WHEN c.kind = 'CASH' THEN c.face_amt ELSE 0 END           AS coupon_amt,
    r.refund_amt,
    o.pay_amt - nvl(r.refund_amt, 0)                               AS net,
    CASE WHEN o.rn = 1 THEN 1 ELSE 0 END                           AS is_new_buyer
FROM (
    SELECT order_id, buyer_id, shop_id, pay_amt, coupon_id,
           row_number() OVER (PARTITION BY buyer_id ORDER BY created) AS rn
    FROM ods.ord
    WHERE dt = '${hivevar:dt}'
      AND status IN (20, 30, 40)
) o
LEFT JOIN (
    SELECT buyer_id, level_code FROM dim.buyer WHERE dt = '${hivevar:dt}'
) u ON o.buyer_id = u.buyer_id
JOIN dim.shop s ON o.shop_id = s.shop_id
LEFT JOIN ods.coupon c ON o.coupon_id = c.coupon_id
LEFT JOIN (
    SELECT order_id, sum(refund_amt) AS refund_amt
    FROM ods.refund
    WHERE dt = '${hivevar:dt}' AND state = 'DONE'
    GROUP BY order_id
) r ON o.order_id = r.order_id;
