-- columns: dim.prod(sku, name, price, ended)
-- columns: stg.prod(sku, name, price)
-- edge: stg.prod#sku -> dim.prod#sku IDENTITY
-- edge: stg.prod#name -> dim.prod#name IDENTITY
-- edge: stg.prod#price -> dim.prod#price IDENTITY
-- edge: dim.prod#sku -> dim.prod JOIN
-- edge: stg.prod#sku -> dim.prod JOIN
-- edge: dim.prod#name -> dim.prod FILTER
-- edge: stg.prod#name -> dim.prod FILTER
-- edge: dim.prod#price -> dim.prod FILTER
-- edge: stg.prod#price -> dim.prod FILTER
-- completeness: complete

MERGE dim.prod AS T
USING stg.prod AS S ON T.sku = S.sku
WHEN MATCHED AND (T.name <> S.name OR T.price <> S.price) THEN
    UPDATE SET T.name = S.name, T.price = S.price
WHEN NOT MATCHED BY TARGET THEN
    INSERT (sku, name, price) VALUES (S.sku, S.name, S.price)
WHEN NOT MATCHED BY SOURCE THEN
    UPDATE SET T.ended = GETDATE()
OUTPUT $action, inserted.sku;
