-- columns: bronze.cdc(payload, offset_no, ts)
-- columns: silver.item(id, title, price, deleted, seq)
-- edge: bronze.cdc#payload -> silver.item#id TRANSFORMATION
-- edge: bronze.cdc#payload -> silver.item#title TRANSFORMATION
-- edge: bronze.cdc#payload -> silver.item#price TRANSFORMATION
-- edge: bronze.cdc#offset_no -> silver.item#seq IDENTITY
-- edge: silver.item#id -> silver.item JOIN
-- edge: bronze.cdc#payload -> silver.item JOIN
-- edge: bronze.cdc#ts -> silver.item FILTER
-- edge: bronze.cdc#payload -> silver.item FILTER
-- edge: bronze.cdc#offset_no -> silver.item FILTER
-- edge: silver.item#seq -> silver.item FILTER
-- completeness: complete

CREATE OR REPLACE TEMP VIEW latest AS
SELECT id, title, price, op, offset_no
FROM (
  SELECT get_json_object(payload, '$.id') AS id,
         get_json_object(payload, '$.title') AS title,
         CAST(get_json_object(payload, '$.price') AS DECIMAL(10,2)) AS price,
         get_json_object(payload, '$.op') AS op,
         offset_no,
         row_number() OVER (PARTITION BY get_json_object(payload, '$.id') ORDER BY offset_no DESC) AS rn
  FROM bronze.cdc
  WHERE ts >= current_date() - INTERVAL 1 DAY
) q
WHERE rn = 1;

MERGE INTO silver.item t
USING latest s
ON t.id = s.id
WHEN MATCHED AND s.op = 'd' THEN UPDATE SET t.deleted = true, t.seq = s.offset_no
WHEN MATCHED AND s.offset_no > t.seq THEN UPDATE SET t.title = s.title, t.price = s.price, t.seq = s.offset_no
WHEN NOT MATCHED AND s.op <> 'd' THEN INSERT (id, title, price, deleted, seq) VALUES (s.id, s.title, s.price, false, s.offset_no);
