-- columns: s.o(id,ls)
-- columns: d.o(id,l)
-- edge: s.o#id -> d.o#id IDENTITY
-- edge: s.o#ls -> d.o#l TRANSFORMATION
-- completeness: complete

INSERT INTO d.o WITH LABEL x1 (id, l) SELECT id, l FROM s.o LATERAL VIEW explode_split(ls, ',') t AS l
