-- columns: main.stg.people(id, ssn, name, born)
-- edge: main.stg.people#id -> main.dim.people_public#id IDENTITY
-- edge: main.stg.people#name -> main.dim.people_public#name IDENTITY
-- edge: main.stg.people#born -> main.dim.people_public#born IDENTITY
-- completeness: complete

CREATE OR REPLACE TABLE main.dim.people_public AS
SELECT * EXCEPT (ssn) FROM main.stg.people;
