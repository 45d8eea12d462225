-- completeness: any

INSERT INTO c.d.t (a) SELECT a FROM TABLE(c.system.table_changes(schema_name => 'd', table_name => 's', since_version => 1))
