-- completeness: any

CALL cat.system.rewrite_data_files(table => 'd.t', strategy => 'sort')
