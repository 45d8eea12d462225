-- columns: ods.t(login_id, ips, times)
-- edge: ods.t#login_id -> dw.o#login_id IDENTITY
-- edge: ods.t#ips -> dw.o#ip TRANSFORMATION
-- completeness: complete
-- note: a key stays as it is, an array is laid out, each by itself

INSERT OVERWRITE TABLE dw.o (login_id, ip)
SELECT TRANS_ARRAY(1, ',', login_id, ips) AS (login_id, ip) FROM ods.t;
