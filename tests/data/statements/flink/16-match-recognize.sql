-- columns: d.ticker(symbol, price, rowtime)
-- edge: d.ticker#symbol -> d.falls#symbol IDENTITY
-- edge: d.ticker#rowtime -> d.falls#started IDENTITY
-- edge: d.ticker#price -> d.falls#low AGGREGATION
-- edge: d.ticker#symbol -> d.falls GROUP_BY
-- edge: d.ticker#rowtime -> d.falls SORT
-- edge: d.ticker#price -> d.falls FILTER
-- completeness: complete

INSERT INTO d.falls (symbol, started, low)
SELECT T.symbol, T.started, T.low
FROM d.ticker
MATCH_RECOGNIZE (
  PARTITION BY symbol
  ORDER BY rowtime
  MEASURES
    START_ROW.rowtime AS started,
    LAST(PRICE_DOWN.price) AS low
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO LAST PRICE_DOWN
  PATTERN (START_ROW PRICE_DOWN+ PRICE_UP) WITHIN INTERVAL '1' HOUR
  DEFINE
    PRICE_DOWN AS PRICE_DOWN.price < START_ROW.price,
    PRICE_UP AS PRICE_UP.price > LAST(PRICE_DOWN.price, 1)
) AS T;
