-- completeness: any

create iceberg table d.t external_volume = 'v' catalog = 'glue' catalog_table_name = 'x';
