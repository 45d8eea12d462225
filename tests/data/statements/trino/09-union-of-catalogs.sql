-- columns: mysql.shop.cust(id, mail)
-- columns: pg.crm.client(client_id, email_address, active)
-- columns: hive.dw.cust(src, id, email)
-- edge: mysql.shop.cust#id -> hive.dw.cust#id TRANSFORMATION
-- edge: pg.crm.client#client_id -> hive.dw.cust#id TRANSFORMATION
-- edge: mysql.shop.cust#mail -> hive.dw.cust#email TRANSFORMATION
-- edge: pg.crm.client#email_address -> hive.dw.cust#email IDENTITY
-- edge: pg.crm.client#active -> hive.dw.cust FILTER
-- completeness: complete

INSERT INTO hive.dw.cust
SELECT 'shop', CAST(id AS varchar), lower(mail) FROM mysql.shop.cust
UNION ALL
SELECT 'crm', CAST(client_id AS varchar), email_address FROM pg.crm.client WHERE active;
