-- columns: lake.dim_vendor(vendor_id, name, rating, eff_from, eff_to, current_flag)
-- columns: lake.stg_vendor(vendor_id, name, rating, as_of)
-- edge: lake.stg_vendor#vendor_id -> lake.dim_vendor#vendor_id IDENTITY
-- edge: lake.stg_vendor#name -> lake.dim_vendor#name IDENTITY
-- edge: lake.stg_vendor#rating -> lake.dim_vendor#rating IDENTITY
-- edge: lake.stg_vendor#as_of -> lake.dim_vendor#eff_from IDENTITY
-- edge: lake.stg_vendor#as_of -> lake.dim_vendor#eff_to IDENTITY
-- edge: lake.dim_vendor#vendor_id -> lake.dim_vendor JOIN
-- edge: lake.stg_vendor#vendor_id -> lake.dim_vendor JOIN
-- edge: lake.dim_vendor#current_flag -> lake.dim_vendor JOIN
-- edge: lake.dim_vendor#name -> lake.dim_vendor FILTER
-- edge: lake.stg_vendor#name -> lake.dim_vendor FILTER
-- edge: lake.dim_vendor#rating -> lake.dim_vendor FILTER
-- edge: lake.stg_vendor#rating -> lake.dim_vendor FILTER
-- edge: lake.dim_vendor#vendor_id -> lake.dim_vendor FILTER
-- completeness: complete

MERGE INTO lake.dim_vendor d
USING lake.stg_vendor s
ON d.vendor_id = s.vendor_id AND d.current_flag
WHEN MATCHED AND (d.name <> s.name OR d.rating <> s.rating) THEN
  UPDATE SET d.eff_to = s.as_of, d.current_flag = false;

INSERT INTO lake.dim_vendor
SELECT s.vendor_id, s.name, s.rating, s.as_of, NULL, true
FROM lake.stg_vendor s
LEFT JOIN lake.dim_vendor d
  ON d.vendor_id = s.vendor_id AND d.current_flag
WHERE d.vendor_id IS NULL;
