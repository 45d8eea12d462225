-- columns: main.silver.scores(player, game, pts)
-- columns: main.gold.best(player, game, pts, rnk)
-- edge: main.silver.scores#player -> main.gold.best#player IDENTITY
-- edge: main.silver.scores#game -> main.gold.best#game IDENTITY
-- edge: main.silver.scores#pts -> main.gold.best#pts IDENTITY
-- edge: main.silver.scores#game -> main.gold.best#rnk WINDOW
-- edge: main.silver.scores#pts -> main.gold.best#rnk WINDOW
-- edge: main.silver.scores#game -> main.gold.best FILTER
-- edge: main.silver.scores#pts -> main.gold.best FILTER
-- completeness: complete

INSERT INTO main.gold.best
SELECT player, game, pts, dense_rank() OVER (PARTITION BY game ORDER BY pts DESC) AS rnk
FROM main.silver.scores
QUALIFY rnk <= 3;
