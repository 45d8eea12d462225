-- columns: stg.k(id, v)
-- columns: dw.k(id, v)
-- edge: stg.k#id -> stg.k_changed#id IDENTITY
-- edge: stg.k#v -> stg.k_changed#v IDENTITY
-- edge: dw.k#id -> stg.k_changed FILTER
-- edge: dw.k#v -> stg.k_changed FILTER
-- completeness: complete

SELECT id, v INTO stg.k_changed
FROM (SELECT id, v FROM stg.k EXCEPT SELECT id, v FROM dw.k) AS x
