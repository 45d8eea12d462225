-- columns: g.score(player, pts, at)
-- columns: g.top(player, pts)
-- edge: g.score#player -> g.top#player IDENTITY
-- edge: g.score#pts -> g.top#pts IDENTITY
-- edge: g.score#pts -> g.top SORT
-- edge: g.score#at -> g.top SORT
-- completeness: complete

INSERT INTO g.top (player, pts)
SELECT player, pts FROM g.score ORDER BY pts DESC, at LIMIT 10;
