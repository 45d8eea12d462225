-- columns: dw.p(id)
-- columns: ops.gone(id, kind)
-- edge: dw.p#id -> dw.p FILTER
-- edge: ops.gone#id -> dw.p FILTER
-- edge: ops.gone#kind -> dw.p FILTER
-- completeness: complete

DELETE FROM dw.p USING ops.gone g WHERE dw.p.id = g.id AND g.kind = 'hard';
