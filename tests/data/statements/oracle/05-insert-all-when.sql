-- columns: RAW.E(ID, KIND, V)
-- columns: DW.A(ID, V)
-- columns: DW.B(ID, V)
-- edge: RAW.E#ID -> DW.A#ID IDENTITY
-- edge: RAW.E#V -> DW.A#V IDENTITY
-- edge: RAW.E#KIND -> DW.A FILTER
-- edge: RAW.E#ID -> DW.B#ID IDENTITY
-- edge: RAW.E#V -> DW.B#V IDENTITY
-- edge: RAW.E#KIND -> DW.B FILTER
-- completeness: complete

INSERT ALL
  WHEN kind = 'A' THEN INTO dw.a (id, v) VALUES (id, v)
  WHEN kind = 'B' THEN INTO dw.b (id, v) VALUES (id, v)
SELECT id, kind, v FROM raw.e;
