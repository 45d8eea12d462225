-- columns: hive_cat.ods.user_ext(uid, phone, city, dt)
-- columns: mysql_cat.crm.user(uid, name, created)
-- columns: internal.dim.user(uid, name, phone, city, created)
-- edge: mysql_cat.crm.user#uid -> internal.dim.user#uid IDENTITY
-- edge: mysql_cat.crm.user#name -> internal.dim.user#name IDENTITY
-- edge: mysql_cat.crm.user#created -> internal.dim.user#created IDENTITY
-- edge: hive_cat.ods.user_ext#phone -> internal.dim.user#phone TRANSFORMATION
-- edge: hive_cat.ods.user_ext#city -> internal.dim.user#city IDENTITY
-- edge: mysql_cat.crm.user#uid -> internal.dim.user JOIN
-- edge: hive_cat.ods.user_ext#uid -> internal.dim.user JOIN
-- edge: hive_cat.ods.user_ext#dt -> internal.dim.user JOIN
-- completeness: complete

INSERT OVERWRITE TABLE internal.dim.user
SELECT m.uid, m.name, MD5(h.phone), h.city, m.created
FROM mysql_cat.crm.user m
LEFT JOIN hive_cat.ods.user_ext h
  ON h.uid = m.uid AND h.dt = '2025-06-01';
