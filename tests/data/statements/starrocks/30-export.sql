-- completeness: any

EXPORT TABLE d.t PARTITION (p1) (a, b) TO "hdfs://nn/x/" WITH BROKER
