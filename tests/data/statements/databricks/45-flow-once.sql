-- completeness: complete
-- edge: bronze.t#id -> silver.t#id IDENTITY
-- edge: bronze.t#v -> silver.t#v IDENTITY

CREATE FLOW f1 AS INSERT INTO ONCE silver.t BY NAME SELECT id, v FROM bronze.t
