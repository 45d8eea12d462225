-- columns: main.gold.sales(id, amt, day)
-- edge: main.stg.sales#id -> main.gold.sales#id IDENTITY
-- edge: main.stg.sales#amt -> main.gold.sales#amt IDENTITY
-- edge: main.stg.sales#day -> main.gold.sales#day IDENTITY
-- completeness: any

INSERT OVERWRITE main.gold.sales
SELECT id, amt, day FROM main.stg.sales;
