-- columns: p.s(id,v,ds)
-- columns: p.d(id,v,ds)
-- edge: p.s#id -> p.d#id IDENTITY
-- edge: p.s#v -> p.d#v TRANSFORMATION
-- edge: p.s#ds -> p.d FILTER
-- completeness: complete

INSERT OVERWRITE TABLE p.d PARTITION (ds='${bizdate}') SELECT id, coalesce(v, 0) FROM p.s WHERE ds = '${bizdate}'
