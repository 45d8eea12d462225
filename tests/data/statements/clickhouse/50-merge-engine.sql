-- completeness: any

CREATE TABLE d.all (a Int32) ENGINE = Merge(d, '^t_')
