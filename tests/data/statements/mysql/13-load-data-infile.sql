-- edge: file:/var/in/t.csv -> stg.t TRANSFORMATION
-- completeness: any
-- note: files fill the table as a whole, and are parsed on the way

LOAD DATA LOCAL INFILE '/var/in/t.csv' INTO TABLE stg.t
FIELDS TERMINATED BY ',' ENCLOSED BY '"'
LINES TERMINATED BY '\n'
IGNORE 1 LINES;
