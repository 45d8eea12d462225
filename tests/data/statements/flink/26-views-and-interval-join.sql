-- columns: d.orders(id, ts, total)
-- columns: d.shipments(order_id, ts, carrier)
-- edge: d.orders#id -> d.shipped#id IDENTITY
-- edge: d.shipments#carrier -> d.shipped#carrier IDENTITY
-- edge: d.orders#id -> d.shipped FILTER
-- edge: d.shipments#order_id -> d.shipped FILTER
-- edge: d.orders#ts -> d.shipped FILTER
-- edge: d.shipments#ts -> d.shipped FILTER
-- completeness: complete

CREATE VIEW IF NOT EXISTS d.shipped (id, carrier) COMMENT 'within four hours' AS
SELECT o.id, s.carrier
FROM d.orders o, d.shipments s
WHERE o.id = s.order_id AND s.ts BETWEEN o.ts - INTERVAL '4' HOUR AND o.ts;
