-- columns: ods.big(k, v, ts)
-- columns: dw.big(k, v)
-- edge: ods.big#k -> dw.big#k IDENTITY
-- edge: ods.big#v -> dw.big#v IDENTITY
-- completeness: complete

INSERT OVERWRITE TABLE dw.big SELECT k, v FROM ods.big DISTRIBUTE BY k;
