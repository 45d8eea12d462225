-- edge: file:x.csv#* -> d.t#* IDENTITY
-- completeness: any

INSERT INTO d.t BY NAME SELECT * FROM read_csv('x.csv')
