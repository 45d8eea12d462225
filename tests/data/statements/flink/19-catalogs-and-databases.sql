-- edge: lake.raw.orders#id -> lake.dw.orders#id IDENTITY
-- edge: lake.raw.orders#note -> lake.dw.orders#note TRANSFORMATION
-- edge: lake.dw.orders#id -> hms.mart.ids#id IDENTITY
-- completeness: complete
-- note: the catalog is the current one where a name has two parts

CREATE CATALOG lake WITH ('type' = 'paimon', 'warehouse' = 's3://b/warehouse');
USE CATALOG lake;
CREATE DATABASE IF NOT EXISTS dw;
USE dw;
CREATE TABLE IF NOT EXISTS orders (id BIGINT, note STRING) WITH ('bucket' = '4');
INSERT INTO orders SELECT o.id, UPPER(o.note) FROM raw.orders AS o;
INSERT INTO hms.mart.ids (id) SELECT id FROM orders;
