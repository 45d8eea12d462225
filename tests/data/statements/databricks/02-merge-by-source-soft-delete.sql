-- columns: main.dim.store(store_id, name, is_open, closed_at)
-- columns: main.stg.store(store_id, name)
-- edge: main.stg.store#store_id -> main.dim.store#store_id IDENTITY
-- edge: main.stg.store#name -> main.dim.store#name IDENTITY
-- edge: main.dim.store#store_id -> main.dim.store JOIN
-- edge: main.stg.store#store_id -> main.dim.store JOIN
-- edge: main.dim.store#is_open -> main.dim.store FILTER
-- completeness: complete

MERGE INTO main.dim.store t
USING main.stg.store s
ON t.store_id = s.store_id
WHEN MATCHED THEN UPDATE SET t.name = s.name
WHEN NOT MATCHED BY TARGET THEN INSERT (store_id, name, is_open) VALUES (s.store_id, s.name, true)
WHEN NOT MATCHED BY SOURCE AND t.is_open = true THEN UPDATE SET t.is_open = false, t.closed_at = current_timestamp();
