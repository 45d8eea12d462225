-- completeness: any

tunnel upload /data/x.csv d.t/ds='1'
