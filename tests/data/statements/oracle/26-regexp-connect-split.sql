-- columns: DW.X(ID, FULL, KIND)
-- edge: RAW.X#ID -> DW.X#ID IDENTITY
-- edge: RAW.X#A -> DW.X#FULL TRANSFORMATION
-- edge: RAW.X#B -> DW.X#FULL TRANSFORMATION
-- edge: RAW.X#B -> DW.X#KIND CONDITIONAL
-- completeness: any

INSERT INTO dw.x (id, full, kind)
SELECT id,
       INITCAP(a) || ' ' || REGEXP_REPLACE(b, '[^A-Z]', ''),
       CASE WHEN REGEXP_LIKE(b, '^[0-9]+$') THEN 'N' ELSE 'C' END
FROM raw.x;
