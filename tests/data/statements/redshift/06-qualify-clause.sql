-- columns: raw.q(k, v, ts)
-- edge: raw.q#k -> dw.q#k IDENTITY
-- edge: raw.q#v -> dw.q#v IDENTITY
-- edge: raw.q#k -> dw.q FILTER
-- edge: raw.q#ts -> dw.q FILTER
-- completeness: complete

CREATE TABLE dw.q AS
SELECT k, v FROM raw.q
QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) = 1;
