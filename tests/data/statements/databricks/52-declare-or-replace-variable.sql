-- columns: main.fin.gl(entry_id, acct, amt, period)
-- columns: main.stg.gl(entry_id, acct, debit, credit, period)
-- edge: main.fin.gl#period -> main.fin.gl FILTER
-- edge: main.stg.gl#acct -> main.fin.gl#acct IDENTITY
-- edge: main.stg.gl#credit -> main.fin.gl#amt TRANSFORMATION
-- edge: main.stg.gl#debit -> main.fin.gl#amt TRANSFORMATION
-- edge: main.stg.gl#entry_id -> main.fin.gl#entry_id IDENTITY
-- edge: main.stg.gl#period -> main.fin.gl FILTER
-- edge: main.stg.gl#period -> main.fin.gl#period IDENTITY
-- completeness: complete

USE CATALOG main;
USE SCHEMA fin;
DECLARE OR REPLACE VARIABLE p STRING DEFAULT '2024-05';
DELETE FROM gl WHERE period = p;
INSERT INTO gl (entry_id, acct, amt, period)
SELECT entry_id, acct, coalesce(debit, 0) - coalesce(credit, 0), period FROM stg.gl WHERE period = p;
OPTIMIZE gl ZORDER BY (acct);
VACUUM gl RETAIN 168 HOURS;
