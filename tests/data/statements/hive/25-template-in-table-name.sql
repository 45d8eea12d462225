-- edge: db_${env}.orders#id -> db_${env}.report#id IDENTITY
-- edge: db_${env}.orders#amt -> db_${env}.report#amt IDENTITY
-- edge: db_${env}.orders#dt -> db_${env}.report FILTER
-- completeness: any

INSERT OVERWRITE TABLE db_${env}.report PARTITION (dt = '${dt}')
SELECT o.id AS id, o.amt AS amt FROM db_${env}.orders o WHERE o.dt = '${dt}';
