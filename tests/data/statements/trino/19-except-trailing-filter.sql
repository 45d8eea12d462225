-- columns: hive.dw.all_ids(id)
-- columns: hive.dw.done_ids(id)
-- edge: hive.dw.all_ids#id -> hive.dw.todo#id IDENTITY
-- edge: hive.dw.done_ids#id -> hive.dw.todo#id CONDITIONAL
-- edge: hive.dw.done_ids#id -> hive.dw.todo FILTER
-- completeness: complete
-- note: Trino counts EXCEPT's right side as deciding about the value; the page says CONDITIONAL

CREATE TABLE hive.dw.todo AS
SELECT id FROM hive.dw.all_ids
EXCEPT
SELECT id FROM hive.dw.done_ids;
