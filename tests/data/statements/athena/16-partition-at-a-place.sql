-- completeness: complete
-- edge: s3://b:ev/1 -> raw.ev TRANSFORMATION
-- edge: s3://b:ev/2 -> raw.ev TRANSFORMATION

ALTER TABLE raw.ev ADD IF NOT EXISTS PARTITION (dt = '1') LOCATION 's3://b/ev/1' PARTITION (dt = '2') LOCATION 's3://b/ev/2'
