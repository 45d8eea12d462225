-- edge: d.a#* -> d.b#* IDENTITY
-- edge: d.b#* -> d.a#* IDENTITY
-- completeness: any

ALTER TABLE d.a SWAP WITH d.b
