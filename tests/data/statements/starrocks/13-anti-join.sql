-- columns: stg.k(id, v)
-- columns: dim.k(id, v)
-- edge: stg.k#id -> dim.k#id IDENTITY
-- edge: stg.k#v -> dim.k#v IDENTITY
-- edge: stg.k#id -> dim.k JOIN
-- edge: dim.k#id -> dim.k JOIN
-- completeness: complete

INSERT INTO dim.k SELECT s.id, s.v FROM stg.k s LEFT ANTI JOIN dim.k d ON s.id = d.id;
