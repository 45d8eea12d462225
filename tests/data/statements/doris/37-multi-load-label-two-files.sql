-- edge: hdfs://nn:a.csv -> d.t TRANSFORMATION
-- edge: hdfs://nn:b.csv -> d.t TRANSFORMATION
-- completeness: any

LOAD LABEL d.l3 (DATA INFILE("hdfs://nn/a.csv", "hdfs://nn/b.csv") INTO TABLE t COLUMNS TERMINATED BY ",") WITH HDFS ("fs.defaultFS" = "hdfs://nn") PROPERTIES ("timeout" = "3600")
