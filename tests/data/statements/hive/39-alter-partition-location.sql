-- completeness: complete
-- edge: hdfs://nn:other/dt=1 -> d.t TRANSFORMATION

ALTER TABLE d.t PARTITION (dt = '1') SET LOCATION 'hdfs://nn/other/dt=1'
