-- columns: S.X(ID, DOC)
-- edge: S.X#ID -> D.A#ID IDENTITY
-- edge: S.X#DOC -> D.A#NAME TRANSFORMATION
-- completeness: any

INSERT INTO d.a (id, name)
SELECT x.id, t.name FROM s.x x, XMLTABLE('/r/i' PASSING x.doc COLUMNS name VARCHAR2(20) PATH '@n') t
