-- completeness: any

ALTER TABLE d.t PARTITION (dt = '1') SET LOCATION 'hdfs://nn/other/dt=1'
