-- completeness: any

COPY d.t (a, b) FROM PROGRAM 'curl x' WITH (FORMAT csv)
