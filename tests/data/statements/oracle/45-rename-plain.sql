-- completeness: any

RENAME t_new TO t
