-- columns: hive.raw.px(sym, d, price)
-- edge: hive.raw.px#sym -> hive.mart.drops#sym IDENTITY
-- edge: hive.raw.px#d -> hive.mart.drops#from_d AGGREGATION
-- edge: hive.raw.px#price -> hive.mart.drops#low AGGREGATION
-- edge: hive.raw.px#sym -> hive.mart.drops GROUP_BY
-- edge: hive.raw.px#d -> hive.mart.drops SORT
-- edge: hive.raw.px#price -> hive.mart.drops FILTER
-- completeness: complete
-- note: FIRST and LAST make one value of a match's rows

CREATE TABLE hive.mart.drops AS
SELECT sym, from_d, low
FROM hive.raw.px
MATCH_RECOGNIZE (
  PARTITION BY sym
  ORDER BY d
  MEASURES first(down.d) AS from_d, last(down.price) AS low
  ONE ROW PER MATCH
  PATTERN (strt down+)
  DEFINE down AS down.price < prev(down.price)
);
