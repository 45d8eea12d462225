-- columns: S.E(K)
-- completeness: any
-- note: the name is in a variable

insert into identifier($tgt) select k from s.e;
