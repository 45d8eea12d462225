-- edge: d.base#id -> d.o#id IDENTITY
-- edge: d.base#name -> d.o#name IDENTITY
-- edge: d.base#extra -> d.o#extra IDENTITY
-- completeness: complete
-- note: the columns of the other table come first, those listed behind them

CREATE TABLE d.first (id BIGINT, name STRING) WITH ('connector' = 'kafka');
CREATE TABLE d.base (
  extra STRING,
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('scan.startup.mode' = 'latest-offset')
LIKE d.first (EXCLUDING OPTIONS INCLUDING GENERATED);
CREATE TABLE d.o (id BIGINT, name STRING, extra STRING) WITH ('connector' = 'print');
INSERT INTO d.o SELECT * FROM d.base;
