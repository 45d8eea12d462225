-- columns: ods.q(k, v, ts)
-- columns: dw.q(k, v)
-- edge: ods.q#k -> dw.q#k IDENTITY
-- edge: ods.q#v -> dw.q#v IDENTITY
-- edge: ods.q#k -> dw.q FILTER
-- edge: ods.q#ts -> dw.q FILTER
-- completeness: complete

INSERT INTO dw.q SELECT k, v FROM ods.q QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) = 1;
