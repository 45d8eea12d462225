-- completeness: any

CALL `p.d.load`(DATE '2024-01-01')
