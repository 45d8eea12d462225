-- note: composable DML: the outer insert takes the rows of OUTPUT, filtered by $action
-- columns: dim.prod(sku, name, from_d, to_d)
-- columns: stg.prod(sku, name)
-- edge: dim.prod#name -> dim.prod FILTER
-- edge: dim.prod#sku -> dim.prod JOIN
-- edge: dim.prod#to_d -> dim.prod JOIN
-- edge: stg.prod#name -> dim.prod FILTER
-- edge: stg.prod#name -> dim.prod#name IDENTITY
-- edge: stg.prod#sku -> dim.prod JOIN
-- edge: stg.prod#sku -> dim.prod#sku IDENTITY
-- completeness: any

INSERT INTO dim.prod (sku, name, from_d, to_d)
SELECT sku, name, GETDATE(), NULL
FROM (
    MERGE dim.prod AS t
    USING stg.prod AS s ON t.sku = s.sku AND t.to_d IS NULL
    WHEN MATCHED AND t.name <> s.name THEN UPDATE SET t.to_d = GETDATE()
    WHEN NOT MATCHED THEN INSERT (sku, name, from_d) VALUES (s.sku, s.name, GETDATE())
    OUTPUT $action AS act, s.sku, s.name
) AS c
WHERE c.act = 'UPDATE';
