-- edge: d.v#a -> d.t2#a IDENTITY
-- completeness: any

CREATE TABLE d.t2 LIKE d.t;
INSERT INTO TABLE d.t2 (a) SELECT a FROM d.v;
