-- edge: D.ST#* -> D.F#* IDENTITY
-- edge: D.F#* -> D.ST#* IDENTITY
-- completeness: any

ALTER TABLE d.f EXCHANGE PARTITION p1 WITH TABLE d.st
