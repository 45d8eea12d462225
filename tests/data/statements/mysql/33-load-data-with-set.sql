-- columns: d.t(a, b, c)
-- edge: file:/in/x.csv -> d.t TRANSFORMATION
-- completeness: any

LOAD DATA INFILE '/in/x.csv' INTO TABLE d.t FIELDS TERMINATED BY ',' (a, @b) SET b = NULLIF(@b, ''), c = NOW()
