-- columns: S.E(K, TS, V)
-- columns: S.R(K, TS, P)
-- edge: S.E#K -> D.T#K IDENTITY
-- edge: S.R#P -> D.T#P IDENTITY
-- edge: S.E#TS -> D.T JOIN
-- edge: S.R#TS -> D.T JOIN
-- edge: S.E#K -> D.T JOIN
-- edge: S.R#K -> D.T JOIN
-- completeness: any

create table d.t as select e.k, r.p from s.e e asof join s.r r match_condition (e.ts >= r.ts) on e.k = r.k;
