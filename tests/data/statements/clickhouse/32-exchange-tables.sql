-- edge: s.p#* -> d.p#* IDENTITY
-- edge: d.p#* -> s.p#* IDENTITY
-- completeness: any

EXCHANGE TABLES s.p AND d.p
