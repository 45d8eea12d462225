-- edge: file:x.csv -> d.t TRANSFORMATION
-- completeness: complete

\copy d.t (a, b) from 'x.csv' csv header
