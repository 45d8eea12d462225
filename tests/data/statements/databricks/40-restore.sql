-- completeness: any

RESTORE TABLE d.t TO VERSION AS OF 3
