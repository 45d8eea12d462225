-- database: acme
-- columns: acme.dim.user(id, email, name, updated)
-- columns: acme.stg.user(id, email, name, ts)
-- edge: acme.stg.user#id -> acme.dim.user#id IDENTITY
-- edge: acme.stg.user#email -> acme.dim.user#email IDENTITY
-- edge: acme.stg.user#name -> acme.dim.user#name IDENTITY
-- edge: acme.stg.user#ts -> acme.dim.user#updated IDENTITY
-- edge: acme.dim.user#id -> acme.dim.user JOIN
-- edge: acme.stg.user#id -> acme.dim.user JOIN
-- edge: acme.stg.user#ts -> acme.dim.user FILTER
-- edge: acme.dim.user#updated -> acme.dim.user FILTER
-- completeness: complete

MERGE dim.user T
USING stg.user S
ON T.id = S.id
WHEN MATCHED AND S.ts > T.updated THEN
  UPDATE SET email = S.email, name = S.name, updated = S.ts
WHEN NOT MATCHED THEN
  INSERT (id, email, name, updated) VALUES (S.id, S.email, S.name, S.ts);
