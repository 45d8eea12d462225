-- columns: proj.raw.orders(id, amt)
-- columns: other.pub.city(id, name)
-- database: proj.dw
-- edge: proj.raw.orders#id -> proj.dw.daily#id IDENTITY
-- edge: other.pub.city#name -> proj.dw.daily#city IDENTITY
-- edge: proj.raw.orders#id -> proj.dw.daily JOIN
-- edge: other.pub.city#id -> proj.dw.daily JOIN
-- completeness: complete

SET odps.namespace.schema=true;
INSERT OVERWRITE TABLE daily (id, city)
SELECT o.id, c.name FROM raw.orders o LEFT JOIN other.pub.city c ON o.id = c.id;
