-- edge: gs://bucket-a:in/*.csv -> acme.raw.in_csv TRANSFORMATION
-- completeness: any
-- note: files fill the table as a whole, and are parsed on the way

LOAD DATA INTO `acme.raw.in_csv`
FROM FILES (format = 'CSV', uris = ['gs://bucket-a/in/*.csv']);
