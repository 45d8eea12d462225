-- columns: R.S(Q,JAN,FEB)
-- edge: R.S#Q -> A.U#Q IDENTITY
-- edge: R.S#JAN -> A.U#AMT IDENTITY
-- edge: R.S#FEB -> A.U#AMT IDENTITY
-- completeness: any

create table a.u as select q, month, amt from r.s unpivot (amt for month in (jan, feb))
