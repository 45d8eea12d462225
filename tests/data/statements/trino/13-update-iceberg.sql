-- columns: iceberg.dw.emp(id, salary, grade)
-- edge: iceberg.dw.emp#salary -> iceberg.dw.emp#salary TRANSFORMATION
-- edge: iceberg.dw.emp#grade -> iceberg.dw.emp FILTER
-- completeness: complete

UPDATE iceberg.dw.emp SET salary = salary * 1.05 WHERE grade IN ('A', 'B');
