-- columns: raw.kpi(store, visits, sales)
-- edge: raw.kpi#store -> silver.kpi_long#store IDENTITY
-- edge: raw.kpi#visits -> silver.kpi_long#val IDENTITY
-- edge: raw.kpi#sales -> silver.kpi_long#val IDENTITY
-- completeness: complete

CREATE TABLE silver.kpi_long AS
SELECT * FROM raw.kpi UNPIVOT (val FOR metric IN (visits, sales));
