-- columns: ds.x.t(a)
-- edge: ds.x.t#a -> d.v#a IDENTITY
-- completeness: any

CREATE VIEW d.v AS SELECT a FROM ds.x.t WITH NO SCHEMA BINDING
