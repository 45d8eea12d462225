-- columns: gold.basket(id, net_prices, total)
-- edge: raw.basket#id -> gold.basket#id IDENTITY
-- edge: raw.basket#prices -> gold.basket#net_prices TRANSFORMATION
-- edge: raw.basket#discount -> gold.basket#net_prices TRANSFORMATION
-- edge: raw.basket#prices -> gold.basket#total TRANSFORMATION
-- completeness: any

INSERT INTO gold.basket
SELECT id,
       transform(prices, p -> p * (1 - discount)),
       aggregate(prices, CAST(0 AS DOUBLE), (acc, p) -> acc + p)
FROM raw.basket;
