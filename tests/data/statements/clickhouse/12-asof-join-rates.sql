-- columns: raw.trades(sym, ts, qty)
-- columns: raw.quotes(sym, ts, px)
-- columns: mart.trade_px(sym, ts, notional)
-- edge: raw.trades#sym -> mart.trade_px#sym IDENTITY
-- edge: raw.trades#ts -> mart.trade_px#ts IDENTITY
-- edge: raw.trades#qty -> mart.trade_px#notional TRANSFORMATION
-- edge: raw.quotes#px -> mart.trade_px#notional TRANSFORMATION
-- edge: raw.trades#sym -> mart.trade_px JOIN
-- edge: raw.quotes#sym -> mart.trade_px JOIN
-- edge: raw.trades#ts -> mart.trade_px JOIN
-- edge: raw.quotes#ts -> mart.trade_px JOIN
-- completeness: complete

INSERT INTO mart.trade_px
SELECT t.sym, t.ts, t.qty * q.px
FROM raw.trades AS t
ASOF LEFT JOIN raw.quotes AS q ON t.sym = q.sym AND t.ts >= q.ts;
