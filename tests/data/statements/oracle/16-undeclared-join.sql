-- edge: RAW.A#ID -> DW.AB#ID IDENTITY
-- edge: RAW.B#W -> DW.AB#W TRANSFORMATION
-- edge: RAW.A#ID -> DW.AB JOIN
-- edge: RAW.B#A_ID -> DW.AB JOIN
-- completeness: any

INSERT INTO dw.ab (id, w)
SELECT a.id, NVL(b.w, 0) FROM raw.a a LEFT JOIN raw.b b ON b.a_id = a.id;
