-- columns: ods.orders(id, uid, amt, state)
-- columns: dwd.paid(id, amt)
-- columns: dwd.refunded(id, uid)
-- edge: ods.orders#id -> dwd.paid#id IDENTITY
-- edge: ods.orders#amt -> dwd.paid#amt IDENTITY
-- edge: ods.orders#state -> dwd.paid FILTER
-- edge: ods.orders#id -> dwd.refunded#id IDENTITY
-- edge: ods.orders#uid -> dwd.refunded#uid IDENTITY
-- edge: ods.orders#state -> dwd.refunded FILTER
-- completeness: complete

FROM ods.orders o
INSERT OVERWRITE TABLE dwd.paid SELECT o.id, o.amt WHERE o.state = 'PAID'
INSERT OVERWRITE TABLE dwd.refunded SELECT o.id, o.uid WHERE o.state = 'REFUND';
