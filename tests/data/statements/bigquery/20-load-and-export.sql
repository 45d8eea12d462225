-- edge: gs://bucket-a:in/*.csv -> acme.raw.in_csv IDENTITY
-- completeness: any

LOAD DATA INTO `acme.raw.in_csv`
FROM FILES (format = 'CSV', uris = ['gs://bucket-a/in/*.csv']);
