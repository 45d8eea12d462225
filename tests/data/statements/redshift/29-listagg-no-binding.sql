-- columns: s.w(id,nm)
-- edge: s.w#id -> d.v#id IDENTITY
-- edge: s.w#nm -> d.v#names AGGREGATION
-- edge: s.w#id -> d.v GROUP_BY
-- edge: s.w#nm -> d.v#names SORT
-- completeness: any

CREATE VIEW d.v AS SELECT id, listagg(nm, ',') WITHIN GROUP (ORDER BY nm) AS names FROM s.w GROUP BY id WITH NO SCHEMA BINDING
