-- columns: raw(id,amt)
-- edge: raw#id -> silver#id IDENTITY
-- edge: raw#amt -> silver#amt IDENTITY
-- edge: raw#amt -> silver FILTER
-- completeness: complete

CREATE OR REFRESH LIVE TABLE silver (
  CONSTRAINT ok EXPECT (amt > 0) ON VIOLATION DROP ROW
) COMMENT 'clean' AS SELECT id, amt FROM live.raw
