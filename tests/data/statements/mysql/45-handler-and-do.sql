-- completeness: any

CREATE TABLE d.n SELECT * FROM d.s PROCEDURE ANALYSE()
