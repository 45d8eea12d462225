-- edge: file:/var/in/t.csv -> stg.t IDENTITY
-- completeness: any

LOAD DATA LOCAL INFILE '/var/in/t.csv' INTO TABLE stg.t
FIELDS TERMINATED BY ',' ENCLOSED BY '"'
LINES TERMINATED BY '\n'
IGNORE 1 LINES;
