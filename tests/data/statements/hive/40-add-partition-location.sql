-- completeness: complete
-- edge: hdfs://nn:land/dt=1 -> d.t TRANSFORMATION
-- note: files become rows

ALTER TABLE d.t ADD IF NOT EXISTS PARTITION (dt = '1') LOCATION 'hdfs://nn/land/dt=1'
