-- columns: stg.water(meter, litres, at)
-- edge: stg.water#meter -> dw.water#meter IDENTITY
-- edge: stg.water#at -> dw.water#day TRANSFORMATION
-- edge: stg.water#litres -> dw.water#litres AGGREGATION
-- edge: stg.water#litres -> dw.water FILTER
-- edge: stg.water#meter -> dw.water GROUP_BY
-- edge: stg.water#at -> dw.water GROUP_BY
-- completeness: complete

CREATE TABLE IF NOT EXISTS dw.water (
  meter BIGINT NOT NULL,
  day DATE NOT NULL,
  litres DECIMAL(12,3) SUM DEFAULT '0'
)
AGGREGATE KEY(meter, day)
PARTITION BY RANGE(day) (PARTITION p202506 VALUES LESS THAN ('2025-07-01'))
DISTRIBUTED BY HASH(meter) BUCKETS 8
PROPERTIES ('replication_num' = '1');

INSERT INTO dw.water PARTITION (p202506) (meter, day, litres)
SELECT meter, DATE(at), SUM(litres)
FROM stg.water
WHERE litres > 0
GROUP BY meter, DATE(at);
