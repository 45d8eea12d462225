-- edge: raw.z#a -> tmp.z#a IDENTITY
-- edge: raw.z#b -> tmp.z#b2 TRANSFORMATION
-- edge: raw.z#a -> tmp.z FILTER
-- completeness: any

SELECT a, b + 1 AS b2 INTO tmp.z FROM raw.z WHERE a > 0;
