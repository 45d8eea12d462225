-- completeness: any

CREATE SEARCH INDEX i ON `p.d.t`(ALL COLUMNS)
