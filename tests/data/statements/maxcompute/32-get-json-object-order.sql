-- columns: ods.mq_order(msg, ds)
-- columns: dwd.order_ext(order_id, channel, coupon, amt, ds)
-- edge: ods.mq_order#msg -> dwd.order_ext#order_id TRANSFORMATION
-- edge: ods.mq_order#msg -> dwd.order_ext#channel TRANSFORMATION
-- edge: ods.mq_order#msg -> dwd.order_ext#coupon TRANSFORMATION
-- edge: ods.mq_order#msg -> dwd.order_ext#coupon CONDITIONAL
-- edge: ods.mq_order#msg -> dwd.order_ext#amt TRANSFORMATION
-- edge: ods.mq_order#ds -> dwd.order_ext FILTER
-- edge: ods.mq_order#msg -> dwd.order_ext FILTER
-- completeness: complete

INSERT OVERWRITE TABLE dwd.order_ext PARTITION (ds='20250601')
SELECT GET_JSON_OBJECT(msg, '$.order_id') AS order_id,
       TOLOWER(GET_JSON_OBJECT(msg, '$.channel')) AS channel,
       IF(GET_JSON_OBJECT(msg, '$.coupon') = '', NULL, GET_JSON_OBJECT(msg, '$.coupon')) AS coupon,
       CAST(GET_JSON_OBJECT(msg, '$.amt') AS DECIMAL(18,2)) AS amt
FROM ods.mq_order
WHERE ds = '20250601'
AND GET_JSON_OBJECT(msg, '$.order_id') IS NOT NULL;
