-- completeness: any

CALL c.system.register_table(schema_name => 'd', table_name => 't', table_location => 's3://b/t')
