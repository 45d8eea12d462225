-- completeness: any
-- edge: dw.t#* -> bk.t#* IDENTITY

CREATE MULTISET TABLE bk.t AS dw.t WITH DATA AND STATS
