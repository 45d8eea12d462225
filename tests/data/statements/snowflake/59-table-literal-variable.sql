-- completeness: any

insert into d.t (k) select k from table($src);
