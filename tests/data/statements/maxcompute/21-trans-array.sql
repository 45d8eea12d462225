-- columns: ods.t(login_id, ips, times)
-- edge: ods.t#login_id -> dw.o#login_id TRANSFORMATION
-- edge: ods.t#ips -> dw.o#login_id TRANSFORMATION
-- edge: ods.t#login_id -> dw.o#ip TRANSFORMATION
-- edge: ods.t#ips -> dw.o#ip TRANSFORMATION
-- completeness: complete
-- note: each column that one function makes may come from any of its arguments

INSERT OVERWRITE TABLE dw.o (login_id, ip)
SELECT TRANS_ARRAY(1, ',', login_id, ips) AS (login_id, ip) FROM ods.t;
