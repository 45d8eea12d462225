-- completeness: any

create table d.t as select k from identifier(:src) where v > 1;
