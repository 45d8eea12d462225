-- database: acme
-- columns: acme.stg.p(k, v, day)
-- columns: acme.dw.p(k, v, day)
-- edge: acme.stg.p#k -> acme.dw.p#k IDENTITY
-- edge: acme.stg.p#v -> acme.dw.p#v IDENTITY
-- edge: acme.stg.p#day -> acme.dw.p#day IDENTITY
-- edge: acme.stg.p#day -> acme.dw.p FILTER
-- edge: acme.dw.p#day -> acme.dw.p FILTER
-- completeness: complete

MERGE dw.p T
USING (SELECT k, v, day FROM stg.p WHERE day = '2024-01-01') S
ON FALSE
WHEN NOT MATCHED BY SOURCE AND T.day = '2024-01-01' THEN DELETE
WHEN NOT MATCHED THEN INSERT (k, v, day) VALUES (k, v, day);
