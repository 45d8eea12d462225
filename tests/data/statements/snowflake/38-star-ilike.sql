-- columns: R.A(ID,X_1,X_2,Y)
-- edge: R.A#X_1 -> A.P#X_1 IDENTITY
-- edge: R.A#X_2 -> A.P#X_2 IDENTITY
-- completeness: complete

create view a.p as select * ilike 'x_%' from r.a
