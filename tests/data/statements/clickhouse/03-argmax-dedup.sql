-- columns: raw.cdc(id, name, email, version)
-- columns: dw.users(id, name, email)
-- edge: raw.cdc#id -> dw.users#id IDENTITY
-- edge: raw.cdc#name -> dw.users#name AGGREGATION
-- edge: raw.cdc#version -> dw.users#name AGGREGATION
-- edge: raw.cdc#email -> dw.users#email AGGREGATION
-- edge: raw.cdc#version -> dw.users#email AGGREGATION
-- edge: raw.cdc#id -> dw.users GROUP_BY
-- completeness: complete

INSERT INTO dw.users (id, name, email)
SELECT id, argMax(name, version), argMax(email, version)
FROM raw.cdc
GROUP BY id;
