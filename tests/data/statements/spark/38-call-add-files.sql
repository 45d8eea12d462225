-- completeness: any
-- note: files become rows of a table

CALL cat.system.add_files(table => 'd.t', source_table => '`parquet`.`s3://b/x`')
