-- columns: dw.orders(id, cid)
-- columns: dw.banned(cid)
-- edge: dw.orders#id -> rpt.ok_orders#id IDENTITY
-- edge: dw.orders#cid -> rpt.ok_orders#cid IDENTITY
-- edge: dw.orders#cid -> rpt.ok_orders JOIN
-- edge: dw.banned#cid -> rpt.ok_orders JOIN
-- completeness: complete

CREATE OR REPLACE VIEW rpt.ok_orders AS
SELECT o.id AS id, o.cid AS cid
FROM dw.orders AS o
LEFT ANTI JOIN dw.banned AS b ON o.cid = b.cid;
