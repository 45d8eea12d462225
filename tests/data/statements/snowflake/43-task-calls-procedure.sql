-- completeness: any

create task d.tk schedule = '60 minute' as call d.load_all('x');
