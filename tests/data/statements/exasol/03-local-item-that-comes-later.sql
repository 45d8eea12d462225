-- completeness: any
-- edge: STG.G#A -> DW.G#A2 TRANSFORMATION

CREATE TABLE dw.g AS SELECT LOCAL.a2 + 1 AS a3, a * 2 AS a2 FROM stg.g
