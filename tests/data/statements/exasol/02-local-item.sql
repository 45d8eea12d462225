-- completeness: complete
-- edge: STG.G#A -> DW.G FILTER
-- edge: STG.G#A -> DW.G#A2 TRANSFORMATION
-- edge: STG.G#A -> DW.G#A3 TRANSFORMATION
-- edge: STG.G#B -> DW.G#A3 TRANSFORMATION

CREATE TABLE dw.g AS SELECT a * 2 AS a2, LOCAL.a2 + b AS a3 FROM stg.g WHERE LOCAL.a2 > 1
