-- database: acme
-- columns: acme.raw.c(id, email, phone, city)
-- edge: acme.raw.c#id -> acme.dw.c#id IDENTITY
-- edge: acme.raw.c#phone -> acme.dw.c#phone IDENTITY
-- edge: acme.raw.c#email -> acme.dw.c#email TRANSFORMATION
-- completeness: complete

CREATE OR REPLACE VIEW dw.c AS
SELECT * EXCEPT (city) REPLACE (LOWER(email) AS email) FROM raw.c;
