-- columns: raw.trade(sym, ts, qty)
-- columns: raw.quote(sym, ts, px)
-- edge: raw.trade#sym -> mart.val#sym IDENTITY
-- edge: raw.trade#ts -> mart.val#ts IDENTITY
-- edge: raw.trade#qty -> mart.val#val TRANSFORMATION
-- edge: raw.quote#px -> mart.val#val TRANSFORMATION
-- edge: raw.trade#sym -> mart.val JOIN
-- edge: raw.quote#sym -> mart.val JOIN
-- edge: raw.trade#ts -> mart.val JOIN
-- edge: raw.quote#ts -> mart.val JOIN
-- completeness: complete

CREATE TABLE mart.val AS
SELECT t.sym, t.ts, t.qty * q.px AS val
FROM raw.trade t ASOF JOIN raw.quote q ON t.sym = q.sym AND t.ts >= q.ts;
