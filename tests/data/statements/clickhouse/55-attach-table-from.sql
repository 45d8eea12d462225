-- completeness: any

ATTACH TABLE d.t FROM '/path/x' (a Int32) ENGINE = File(CSV)
