-- edge: hdfs://nn:x/* -> d.t TRANSFORMATION
-- completeness: any

LOAD LABEL d.l1 (DATA INFILE("hdfs://nn/x/*") INTO TABLE t COLUMNS TERMINATED BY "," (a, b) SET (c = a + b)) WITH BROKER b ("username" = "u")
