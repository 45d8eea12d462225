-- columns: raw.person(id, first, last, addr struct<city:string,zip:string>)
-- columns: silver.person(id, city, full_name)
-- edge: raw.person#id -> silver.person#id IDENTITY
-- edge: raw.person#addr.city -> silver.person#city IDENTITY
-- edge: raw.person#first -> silver.person#full_name TRANSFORMATION
-- edge: raw.person#last -> silver.person#full_name TRANSFORMATION
-- edge: raw.person#addr.zip -> silver.person FILTER
-- completeness: complete

INSERT INTO silver.person
SELECT p.id, p.addr.city, concat(p.first, ' ', p.last)
FROM raw.person p
WHERE p.addr.zip LIKE '1%';
