-- completeness: complete
-- edge: raw.s#amt -> dw.p#2023 AGGREGATION
-- edge: raw.s#amt -> dw.p#2024 AGGREGATION
-- edge: raw.s#cid -> dw.p GROUP_BY
-- edge: raw.s#cid -> dw.p#cid IDENTITY
-- edge: raw.s#yr -> dw.p#2023 CONDITIONAL
-- edge: raw.s#yr -> dw.p#2024 CONDITIONAL

CREATE TABLE dw.p AS PIVOT (SELECT cid, yr, amt FROM raw.s) ON yr IN (2023, 2024) USING sum(amt) GROUP BY cid
