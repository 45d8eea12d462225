-- completeness: any

CREATE OR REPLACE EXTERNAL TABLE `p.d.x` OPTIONS (format = 'CSV', uris = ['gs://b/in/*.csv'])
