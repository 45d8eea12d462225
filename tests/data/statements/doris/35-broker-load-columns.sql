-- edge: hdfs://nn:x/a.csv -> d.t TRANSFORMATION
-- completeness: any

LOAD LABEL d.l2 (DATA INFILE("hdfs://nn/x/a.csv") INTO TABLE t COLUMNS TERMINATED BY "," (a, b) SET (c = a + b)) WITH BROKER b ("username" = "u")
