-- columns: x.north(id, score)
-- columns: x.south(id, score)
-- edge: x.north#id -> x.top100#id IDENTITY
-- edge: x.south#id -> x.top100#id IDENTITY
-- edge: x.north#score -> x.top100#score IDENTITY
-- edge: x.south#score -> x.top100#score IDENTITY
-- edge: x.north#score -> x.top100 SORT
-- edge: x.south#score -> x.top100 SORT
-- completeness: complete

CREATE OR REPLACE TABLE x.top100 USING parquet AS
SELECT id, score FROM x.north
UNION
SELECT id, score FROM x.south
ORDER BY score DESC
LIMIT 100;
