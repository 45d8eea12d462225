-- The tables that every family has; the first statements of each session.
CREATE TABLE IF NOT EXISTS t1 (a INT, b INT, c STRING, d DATE) USING parquet;
CREATE TABLE IF NOT EXISTS t2 (a INT, b INT, e STRING, f DOUBLE) USING parquet;
CREATE TABLE IF NOT EXISTS t3 (a INT, x INT, y STRING) USING parquet;
CREATE TABLE IF NOT EXISTS emp (id INT, name STRING, dept INT, salary DOUBLE, hired DATE, boss INT) USING parquet;
CREATE TABLE IF NOT EXISTS dept (dept INT, title STRING, state STRING) USING parquet;
CREATE TABLE IF NOT EXISTS sales (yr INT, quarter STRING, region STRING, amount DOUBLE, course STRING) USING parquet;
CREATE TABLE IF NOT EXISTS nested (id INT, s STRUCT<a: INT, b: STRING, inner: STRUCT<x: INT, y: INT>>, arr ARRAY<INT>, structs ARRAY<STRUCT<k: INT, v: STRING>>, m MAP<STRING, INT>, js STRING, v VARIANT) USING parquet;
CREATE TABLE IF NOT EXISTS logs (id INT, line STRING, day DATE, hour INT) USING parquet PARTITIONED BY (day, hour);
