-- columns: d.o(id, c)
-- columns: d.l(oid, amt)
-- columns: d.t(id, amt)
-- edge: d.l#amt -> d.t#amt AGGREGATION
-- edge: d.l#oid -> d.t FILTER
-- edge: d.o#id -> d.t FILTER
-- edge: d.o#id -> d.t#id IDENTITY
-- completeness: any

INSERT INTO d.t PARTITION (p1, p2) (id, amt)
SELECT o.id, x.amt FROM d.o o JOIN LATERAL (SELECT SUM(l.amt) AS amt FROM d.l l WHERE l.oid = o.id) x ON TRUE
