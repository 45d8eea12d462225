-- columns: STG.F(K, V)
-- columns: DW.F(K, V)
-- edge: STG.F#K -> DW.F#K IDENTITY
-- edge: STG.F#V -> DW.F#V TRANSFORMATION
-- edge: STG.F#V -> DW.F FILTER
-- completeness: complete

BEGIN
  FOR r IN (SELECT k, v FROM stg.f WHERE v > 0) LOOP
    INSERT INTO dw.f (k, v) VALUES (r.k, r.v * 2);
  END LOOP;
  COMMIT;
END;
