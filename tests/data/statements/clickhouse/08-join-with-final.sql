-- columns: raw.orders(id, cid, amt)
-- columns: raw.cust(cid, country)
-- columns: mart.country(country, amt)
-- edge: raw.cust#country -> mart.country#country IDENTITY
-- edge: raw.orders#amt -> mart.country#amt AGGREGATION
-- edge: raw.orders#cid -> mart.country JOIN
-- edge: raw.cust#cid -> mart.country JOIN
-- edge: raw.cust#country -> mart.country GROUP_BY
-- completeness: complete

INSERT INTO mart.country
SELECT c.country, sum(o.amt)
FROM raw.orders AS o FINAL
INNER JOIN raw.cust AS c FINAL ON o.cid = c.cid
GROUP BY c.country;
