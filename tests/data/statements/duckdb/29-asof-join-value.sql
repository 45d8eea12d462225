-- columns: s.t(sym,at,px)
-- columns: s.o(sym,at,n)
-- edge: s.o#sym -> d.v#sym IDENTITY
-- edge: s.o#n -> d.v#val TRANSFORMATION
-- edge: s.t#px -> d.v#val TRANSFORMATION
-- edge: s.o#sym -> d.v JOIN
-- edge: s.t#sym -> d.v JOIN
-- edge: s.o#at -> d.v JOIN
-- edge: s.t#at -> d.v JOIN
-- completeness: complete

CREATE VIEW d.v AS SELECT o.sym, o.n * t.px AS val FROM s.o o ASOF JOIN s.t t ON o.sym = t.sym AND o.at >= t.at
