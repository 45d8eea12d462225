-- columns: main.raw.geo(lat, lon, id)
-- edge: main.raw.geo#id -> main.silver.geo#id IDENTITY
-- edge: main.raw.geo#lat -> main.silver.geo#cell TRANSFORMATION
-- edge: main.raw.geo#lon -> main.silver.geo#cell TRANSFORMATION
-- completeness: complete

CREATE OR REPLACE TABLE main.silver.geo
CLUSTER BY (cell)
TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')
AS SELECT id, concat(floor(lat), '_', floor(lon)) AS cell FROM main.raw.geo;
