-- edge: gs://b:in/*.csv -> p.d.x TRANSFORMATION
-- completeness: any

CREATE OR REPLACE EXTERNAL TABLE `p.d.x` OPTIONS (format = 'CSV', uris = ['gs://b/in/*.csv'])
