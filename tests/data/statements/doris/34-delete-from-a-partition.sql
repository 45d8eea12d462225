-- completeness: complete
-- edge: dw.t#k -> dw.t FILTER
-- edge: ods.d#k -> dw.t FILTER
-- edge: ods.d#z -> dw.t FILTER

DELETE FROM dw.t PARTITION p1 WHERE k IN (SELECT k FROM ods.d WHERE z = 1)
