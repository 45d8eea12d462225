-- completeness: any
-- note: the new table has the rows of the old

CALL cat.system.snapshot('d.src', 'd.snap')
