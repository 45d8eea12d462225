-- completeness: any
-- edge: RAW.T#* -> DW.X GROUP_BY
-- edge: RAW.T#* -> DW.X#SECOND IDENTITY
-- edge: RAW.T#ID -> DW.X GROUP_BY
-- edge: RAW.T#ID -> DW.X#ID IDENTITY
-- edge: RAW.T#TS -> DW.X#VS SORT
-- edge: RAW.T#V -> DW.X#VS AGGREGATION

CREATE OR REPLACE VIEW dw.x COPY GRANTS AS SELECT t.id, t.$2 AS second, ARRAY_AGG(t.v) WITHIN GROUP (ORDER BY t.ts) AS vs FROM raw.t t SAMPLE (10) GROUP BY ALL
