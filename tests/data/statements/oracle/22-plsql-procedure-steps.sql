-- columns: STG.TXN(TXN_ID, ACCT, AMT, CCY, BOOKED)
-- columns: REF.FX(CCY, D, RATE)
-- columns: DW.TXN(TXN_ID, ACCT, AMT_EUR, BOOKED)
-- columns: DW.BAL(ACCT, BAL)
-- edge: STG.TXN#TXN_ID -> DW.TXN#TXN_ID IDENTITY
-- edge: STG.TXN#ACCT -> DW.TXN#ACCT IDENTITY
-- edge: STG.TXN#BOOKED -> DW.TXN#BOOKED IDENTITY
-- edge: STG.TXN#AMT -> DW.TXN#AMT_EUR TRANSFORMATION
-- edge: REF.FX#RATE -> DW.TXN#AMT_EUR TRANSFORMATION
-- edge: STG.TXN#CCY -> DW.TXN JOIN
-- edge: REF.FX#CCY -> DW.TXN JOIN
-- edge: STG.TXN#BOOKED -> DW.TXN JOIN
-- edge: REF.FX#D -> DW.TXN JOIN
-- edge: STG.TXN#BOOKED -> DW.TXN FILTER
-- edge: DW.TXN#ACCT -> DW.BAL#ACCT IDENTITY
-- edge: DW.BAL#BAL -> DW.BAL#BAL TRANSFORMATION
-- edge: DW.TXN#AMT_EUR -> DW.BAL#BAL AGGREGATION
-- edge: DW.BAL#ACCT -> DW.BAL JOIN
-- edge: DW.TXN#ACCT -> DW.BAL JOIN
-- edge: DW.TXN#BOOKED -> DW.BAL FILTER
-- edge: DW.TXN#ACCT -> DW.BAL GROUP_BY
-- completeness: complete

BEGIN
  INSERT INTO dw.txn (txn_id, acct, amt_eur, booked)
  SELECT s.txn_id, s.acct, s.amt * r.rate, s.booked
  FROM stg.txn s
  JOIN ref.fx r ON r.ccy = s.ccy AND r.d = TRUNC(s.booked)
  WHERE s.booked >= TRUNC(SYSDATE) - 1;

  MERGE INTO dw.bal b
  USING (
    SELECT acct, SUM(amt_eur) AS delta
    FROM dw.txn
    WHERE booked >= TRUNC(SYSDATE) - 1
    GROUP BY acct
  ) d
  ON (b.acct = d.acct)
  WHEN MATCHED THEN UPDATE SET b.bal = b.bal + d.delta
  WHEN NOT MATCHED THEN INSERT (b.acct, b.bal) VALUES (d.acct, d.delta);

  COMMIT;
END;
