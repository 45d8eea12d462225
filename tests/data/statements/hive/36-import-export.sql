-- edge: hdfs://nn:exp/t -> d.t TRANSFORMATION
-- completeness: any

IMPORT TABLE d.t PARTITION (dt = '1') FROM 'hdfs://nn/exp/t'
