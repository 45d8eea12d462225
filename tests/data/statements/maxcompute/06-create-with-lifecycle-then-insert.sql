-- edge: ods.s#a -> dw.t#id IDENTITY
-- edge: ods.s#b -> dw.t#name IDENTITY
-- edge: ods.s#c -> dw.t#ds IDENTITY
-- completeness: complete

CREATE TABLE IF NOT EXISTS dw.t (
  id BIGINT NOT NULL COMMENT 'the id',
  name STRING DEFAULT 'x'
)
COMMENT 'a table'
PARTITIONED BY (ds STRING COMMENT 'day')
LIFECYCLE 365;
INSERT OVERWRITE TABLE dw.t PARTITION (ds) SELECT s.a, s.b, s.c FROM ods.s s;
