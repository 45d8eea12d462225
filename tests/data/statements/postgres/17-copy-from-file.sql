-- edge: file:/in/cust.csv -> raw.cust IDENTITY
-- completeness: any

COPY raw.cust FROM '/in/cust.csv' WITH (FORMAT csv, HEADER true);
