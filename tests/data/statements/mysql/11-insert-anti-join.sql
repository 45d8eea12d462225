-- columns: stg.u(id, nm)
-- columns: dim.u(id, nm)
-- edge: stg.u#id -> dim.u#id IDENTITY
-- edge: stg.u#nm -> dim.u#nm IDENTITY
-- edge: stg.u#id -> dim.u JOIN
-- edge: dim.u#id -> dim.u JOIN
-- edge: dim.u#id -> dim.u FILTER
-- completeness: complete

INSERT INTO dim.u (id, nm)
SELECT s.id, s.nm FROM stg.u s LEFT JOIN dim.u d ON d.id = s.id WHERE d.id IS NULL;
