-- edge: p.d.t#* -> p.d.c#* IDENTITY
-- completeness: any

CREATE OR REPLACE TABLE `p.d.c` CLONE `p.d.t` OPTIONS (expiration_timestamp = TIMESTAMP '2030-01-01')
