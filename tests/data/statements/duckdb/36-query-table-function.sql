-- columns: d.a(x)
-- completeness: any

CREATE TABLE d.t AS SELECT x FROM query_table('d.a')
