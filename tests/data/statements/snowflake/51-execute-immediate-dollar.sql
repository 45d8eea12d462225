-- columns: S.E(K)
-- columns: D.T(K)
-- edge: S.E#K -> D.T#K IDENTITY
-- completeness: any

execute immediate $$
begin
  insert into d.t (k) select k from s.e;
  return 'ok';
end;
$$;
