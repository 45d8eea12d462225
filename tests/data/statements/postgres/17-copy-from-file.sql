-- edge: file:/in/cust.csv -> raw.cust TRANSFORMATION
-- completeness: any
-- note: files fill the table as a whole, and are parsed on the way

COPY raw.cust FROM '/in/cust.csv' WITH (FORMAT csv, HEADER true);
