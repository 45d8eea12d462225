-- columns: iceberg.dw.log(id, day)
-- columns: iceberg.ops.retention(day, keep)
-- edge: iceberg.dw.log#day -> iceberg.dw.log FILTER
-- edge: iceberg.ops.retention#day -> iceberg.dw.log FILTER
-- edge: iceberg.ops.retention#keep -> iceberg.dw.log FILTER
-- completeness: complete

DELETE FROM iceberg.dw.log WHERE day IN (SELECT day FROM iceberg.ops.retention WHERE keep = false);
