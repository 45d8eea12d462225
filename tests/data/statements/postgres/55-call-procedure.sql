-- completeness: any

CALL d.load_day('2024-01-01')
