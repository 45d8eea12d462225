-- database: acme
-- columns: acme.s.a(k,v,d)
-- columns: acme.d.a(k,v,d)
-- edge: acme.s.a#k -> acme.d.a#k IDENTITY
-- edge: acme.s.a#v -> acme.d.a#v IDENTITY
-- edge: acme.s.a#d -> acme.d.a#d IDENTITY
-- edge: acme.d.a#d -> acme.d.a FILTER
-- completeness: complete

MERGE d.a T USING (SELECT k, v, d FROM s.a) S ON FALSE
WHEN NOT MATCHED BY SOURCE AND T.d = DATE '2024-01-01' THEN DELETE
WHEN NOT MATCHED THEN INSERT (k, v, d) VALUES (k, v, d);
