-- columns: ods.u(id, nm, ts)
-- columns: dim.u(id, nm)
-- edge: ods.u#id -> dim.u#id IDENTITY
-- edge: ods.u#nm -> dim.u#nm IDENTITY
-- edge: ods.u#id -> dim.u FILTER
-- edge: ods.u#ts -> dim.u FILTER
-- completeness: complete

INSERT INTO dim.u
SELECT id, nm FROM (
  SELECT id, nm, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS rn FROM ods.u
) t WHERE rn = 1;
