-- completeness: any

RENAME DATABASE a TO b
