-- columns: dw.cust(id, nm)
-- columns: dw.orders(cid, amt, at)
-- edge: dw.cust#id -> mart.c#id IDENTITY
-- edge: dw.cust#nm -> mart.c#nm IDENTITY
-- edge: dw.orders#amt -> mart.c#last_amt IDENTITY
-- edge: dw.orders#amt -> mart.c#rk WINDOW
-- edge: dw.orders#cid -> mart.c FILTER
-- edge: dw.cust#id -> mart.c FILTER
-- edge: dw.orders#at -> mart.c SORT
-- completeness: complete

CREATE TABLE mart.c AS
SELECT c.id, c.nm, l.amt AS last_amt, rank() OVER (ORDER BY l.amt DESC) AS rk
FROM dw.cust c,
LATERAL (SELECT o.amt FROM dw.orders o WHERE o.cid = c.id ORDER BY o.at DESC LIMIT 1) l;
