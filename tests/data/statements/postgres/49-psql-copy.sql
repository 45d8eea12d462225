-- completeness: any

\copy d.t (a, b) from 'x.csv' csv header
