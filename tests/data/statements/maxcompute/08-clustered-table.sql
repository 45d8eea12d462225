-- edge: ods.s#id -> dw.c#id IDENTITY
-- edge: ods.s#v -> dw.c#v IDENTITY
-- edge: ods.s#id -> dw.r#id IDENTITY
-- completeness: complete

CREATE TABLE dw.c (id BIGINT, v STRING) PARTITIONED BY (ds STRING)
CLUSTERED BY (id) SORTED BY (id DESC) INTO 1024 BUCKETS LIFECYCLE 30;
CREATE TABLE dw.r (id BIGINT) RANGE CLUSTERED BY (id) SORTED BY (id) INTO 16 BUCKETS;
INSERT OVERWRITE TABLE dw.c PARTITION (ds='1') SELECT s.id, s.v FROM ods.s s;
INSERT OVERWRITE TABLE dw.r SELECT s.id FROM ods.s s;
