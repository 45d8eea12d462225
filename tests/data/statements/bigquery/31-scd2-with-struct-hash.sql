-- database: acme
-- columns: acme.stg.cust(id, name, addr STRUCT<city STRING, zip STRING>, loaded_at)
-- columns: acme.dim.cust(sk, id, name, city, zip, valid_from, valid_to, is_current)
-- edge: acme.stg.cust#id -> acme.dim.cust#sk TRANSFORMATION
-- edge: acme.stg.cust#loaded_at -> acme.dim.cust#sk TRANSFORMATION
-- edge: acme.stg.cust#id -> acme.dim.cust#id IDENTITY
-- edge: acme.stg.cust#name -> acme.dim.cust#name IDENTITY
-- edge: acme.stg.cust#addr.city -> acme.dim.cust#city IDENTITY
-- edge: acme.stg.cust#addr.zip -> acme.dim.cust#zip IDENTITY
-- edge: acme.stg.cust#loaded_at -> acme.dim.cust#valid_from IDENTITY
-- edge: acme.stg.cust#loaded_at -> acme.dim.cust#valid_to IDENTITY
-- edge: acme.dim.cust#id -> acme.dim.cust JOIN
-- edge: acme.stg.cust#id -> acme.dim.cust JOIN
-- edge: acme.stg.cust#name -> acme.dim.cust JOIN
-- edge: acme.dim.cust#name -> acme.dim.cust JOIN
-- edge: acme.stg.cust#addr.city -> acme.dim.cust JOIN
-- edge: acme.dim.cust#city -> acme.dim.cust JOIN
-- edge: acme.stg.cust#addr.zip -> acme.dim.cust JOIN
-- edge: acme.dim.cust#zip -> acme.dim.cust JOIN
-- edge: acme.dim.cust#is_current -> acme.dim.cust JOIN
-- edge: acme.dim.cust#is_current -> acme.dim.cust FILTER
-- edge: acme.stg.cust#id -> acme.dim.cust FILTER
-- edge: acme.stg.cust#loaded_at -> acme.dim.cust FILTER
-- edge: acme.dim.cust#id -> acme.dim.cust FILTER
-- edge: acme.dim.cust#valid_from -> acme.dim.cust FILTER
-- completeness: complete

MERGE INTO dim.cust AS d
USING (
  WITH latest AS (
    SELECT id, name, addr.city AS city, addr.zip AS zip, loaded_at
    FROM stg.cust
    WHERE TRUE
    QUALIFY ROW_NUMBER() OVER (PARTITION BY id ORDER BY loaded_at DESC) = 1
  )
  SELECT TO_HEX(MD5(CONCAT(CAST(id AS STRING), CAST(loaded_at AS STRING)))) AS sk,
         id, name, city, zip, loaded_at
  FROM latest
) AS s
ON d.id = s.id AND d.is_current AND s.name = d.name AND s.city = d.city AND s.zip = d.zip
WHEN NOT MATCHED BY TARGET THEN
  INSERT (sk, id, name, city, zip, valid_from, valid_to, is_current)
  VALUES (s.sk, s.id, s.name, s.city, s.zip, s.loaded_at, NULL, TRUE);

UPDATE dim.cust AS d
SET valid_to = s.loaded_at, is_current = FALSE
FROM stg.cust AS s
WHERE d.id = s.id AND d.is_current AND s.loaded_at > d.valid_from;
