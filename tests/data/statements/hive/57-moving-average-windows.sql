-- columns: px.close(ticker, trade_day, close_px, volume)
-- columns: px.signal(ticker, trade_day, ma20, prev_close, first_px, vol_share)
-- edge: px.close#ticker -> px.signal#ticker IDENTITY
-- edge: px.close#trade_day -> px.signal#trade_day IDENTITY
-- edge: px.close#close_px -> px.signal#ma20 AGGREGATION
-- edge: px.close#ticker -> px.signal#ma20 WINDOW
-- edge: px.close#trade_day -> px.signal#ma20 WINDOW
-- edge: px.close#close_px -> px.signal#prev_close TRANSFORMATION
-- edge: px.close#ticker -> px.signal#prev_close WINDOW
-- edge: px.close#trade_day -> px.signal#prev_close WINDOW
-- edge: px.close#close_px -> px.signal#first_px TRANSFORMATION
-- edge: px.close#ticker -> px.signal#first_px WINDOW
-- edge: px.close#trade_day -> px.signal#first_px WINDOW
-- edge: px.close#volume -> px.signal#vol_share TRANSFORMATION
-- edge: px.close#volume -> px.signal#vol_share AGGREGATION
-- edge: px.close#trade_day -> px.signal#vol_share WINDOW
-- edge: px.close#trade_day -> px.signal FILTER
-- completeness: complete

INSERT OVERWRITE TABLE px.signal
SELECT ticker,
       trade_day,
       avg(close_px) OVER (PARTITION BY ticker ORDER BY trade_day ROWS BETWEEN 19 PRECEDING AND CURRENT ROW),
       lag(close_px, 1) OVER (PARTITION BY ticker ORDER BY trade_day),
       first_value(close_px) OVER (PARTITION BY ticker ORDER BY trade_day),
       volume / sum(volume) OVER (PARTITION BY trade_day)
FROM px.close
WHERE trade_day >= '2025-01-01';
