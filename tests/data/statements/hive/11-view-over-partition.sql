-- edge: dwd.orders#id -> rpt.orders_eur#id IDENTITY
-- edge: dwd.orders#dt -> rpt.orders_eur#dt IDENTITY
-- edge: dwd.orders#cur -> rpt.orders_eur#amt_eur CONDITIONAL
-- edge: dwd.orders#amt -> rpt.orders_eur#amt_eur TRANSFORMATION
-- edge: dwd.orders#amt -> rpt.orders_eur FILTER
-- completeness: any

CREATE OR REPLACE VIEW rpt.orders_eur (id, amt_eur, dt) AS
SELECT id, if(cur = 'EUR', amt, amt * 0.9), dt
FROM dwd.orders
WHERE amt > 0;
