-- completeness: any

CREATE TABLE d.t (LIKE d.s INCLUDING ALL)
