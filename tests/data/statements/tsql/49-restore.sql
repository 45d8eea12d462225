-- completeness: any

RESTORE DATABASE dw FROM DISK = '/b/dw.bak'
