-- columns: dim.tax_rate(country, rate, valid_from)
-- columns: etl.merge_log(country, old_rate, new_rate)
-- columns: stg.tax_rate(country, rate)
-- edge: stg.tax_rate#country -> dim.tax_rate#country IDENTITY
-- edge: stg.tax_rate#rate -> dim.tax_rate#rate IDENTITY
-- edge: stg.tax_rate#country -> dim.tax_rate JOIN
-- edge: dim.tax_rate#country -> dim.tax_rate JOIN
-- edge: dim.tax_rate#rate -> dim.tax_rate FILTER
-- edge: stg.tax_rate#rate -> dim.tax_rate FILTER
-- edge: dim.tax_rate#country -> etl.merge_log#country IDENTITY
-- edge: dim.tax_rate#rate -> etl.merge_log#old_rate IDENTITY
-- edge: dim.tax_rate#rate -> etl.merge_log#new_rate IDENTITY
-- edge: stg.tax_rate#country -> etl.merge_log JOIN
-- edge: dim.tax_rate#country -> etl.merge_log JOIN
-- edge: dim.tax_rate#rate -> etl.merge_log FILTER
-- edge: stg.tax_rate#rate -> etl.merge_log FILTER
-- completeness: complete
-- note: what OUTPUT puts out comes from the changed table

MERGE INTO dim.tax_rate WITH (HOLDLOCK) AS t
USING stg.tax_rate AS s
   ON t.country = s.country
WHEN MATCHED AND t.rate <> s.rate THEN
    UPDATE SET t.rate = s.rate, t.valid_from = SYSUTCDATETIME()
WHEN NOT MATCHED BY TARGET THEN
    INSERT (country, rate, valid_from)
    VALUES (s.country, s.rate, SYSUTCDATETIME())
OUTPUT inserted.country, deleted.rate, inserted.rate
    INTO etl.merge_log (country, old_rate, new_rate);
