-- completeness: complete
-- edge: raw.x#id -> dw.x#id IDENTITY
-- edge: raw.x#price -> dw.x#net TRANSFORMATION
-- edge: raw.x#rate -> dw.x#net TRANSFORMATION

CREATE MACRO dw.disc(p, r) AS p * (1 - r); INSERT INTO dw.x SELECT id, dw.disc(price, rate) AS net FROM raw.x
