-- completeness: any

CALL c.system.migrate(schema_name => 'd', table_name => 't')
