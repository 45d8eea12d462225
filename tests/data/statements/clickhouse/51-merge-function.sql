-- completeness: any

INSERT INTO d.x (a) SELECT a FROM merge('d', '^t_')
