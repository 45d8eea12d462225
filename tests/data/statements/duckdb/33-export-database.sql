-- completeness: any

EXPORT DATABASE 'dir' (FORMAT parquet)
