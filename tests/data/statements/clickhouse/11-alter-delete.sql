-- columns: dw.log(ts, lvl)
-- edge: dw.log#ts -> dw.log FILTER
-- edge: dw.log#lvl -> dw.log FILTER
-- completeness: complete

ALTER TABLE dw.log DELETE WHERE ts < now() - INTERVAL 90 DAY AND lvl = 'debug';
