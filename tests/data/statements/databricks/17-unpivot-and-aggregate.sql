-- columns: main.raw.energy(meter, h1, h2, h3)
-- edge: main.raw.energy#meter -> main.gold.energy#meter IDENTITY
-- edge: main.raw.energy#h1 -> main.gold.energy#kwh AGGREGATION
-- edge: main.raw.energy#h2 -> main.gold.energy#kwh AGGREGATION
-- edge: main.raw.energy#h3 -> main.gold.energy#kwh AGGREGATION
-- edge: main.raw.energy#meter -> main.gold.energy GROUP_BY
-- completeness: complete

CREATE TABLE main.gold.energy AS
SELECT meter, sum(kwh) AS kwh
FROM main.raw.energy UNPIVOT (kwh FOR hour IN (h1, h2, h3))
GROUP BY meter;
