-- completeness: any
-- edge: SRC.CTL -> DW.CTL#N AGGREGATION
-- edge: SRC.PAY#AMT -> DW.PAY#AMT IDENTITY
-- edge: SRC.PAY#D -> DW.PAY FILTER
-- edge: SRC.PAY#ID -> DW.PAY#ID IDENTITY

CREATE OR REPLACE PACKAGE BODY etl.pkg AS
  PROCEDURE run(p_d DATE) IS
    v_cnt NUMBER;
    CURSOR c IS SELECT id, amt FROM src.pay WHERE d = p_d;
    TYPE t_tab IS TABLE OF c%ROWTYPE;
    l_tab t_tab;
  BEGIN
    SELECT COUNT(*) INTO v_cnt FROM src.ctl;
    INSERT INTO dw.pay (id, amt) SELECT id, amt FROM src.pay WHERE d = p_d;
    UPDATE dw.ctl SET n = v_cnt;
    COMMIT;
  EXCEPTION WHEN OTHERS THEN ROLLBACK; RAISE;
  END run;
END pkg;
