-- columns: D.T(ID,V,DEL)
-- columns: S.T(ID,V)
-- edge: S.T#ID -> D.T#ID IDENTITY
-- edge: S.T#V -> D.T#V IDENTITY
-- edge: S.T#ID -> D.T JOIN
-- edge: D.T#ID -> D.T JOIN
-- edge: S.T#V -> D.T FILTER
-- edge: D.T#V -> D.T FILTER
-- completeness: complete

merge into d.t using s.t on d.t.id = s.t.id
when matched and d.t.v <> s.t.v then update set d.t.v = s.t.v
when not matched then insert (id, v) values (s.t.id, s.t.v);
