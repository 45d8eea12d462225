-- columns: DW.T(A, B)
-- columns: DW.X(A, B)
-- edge: DW.T#A -> DW.X#A IDENTITY
-- edge: DW.T#B -> DW.X#B IDENTITY
-- edge: DW.T#B -> DW.X FILTER
-- completeness: complete

create temporary table tmp_t as select a, b from dw.t;
delete from tmp_t where b is null;
insert into dw.x (a, b) select a, b from tmp_t where b > 0;
