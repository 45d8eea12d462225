-- columns: stg.player(player_id, nick, elo, seen_at)
-- columns: main.player(player_id, nick, elo, best_elo, seen_at)
-- edge: stg.player#player_id -> main.player#player_id IDENTITY
-- edge: stg.player#nick -> main.player#nick IDENTITY
-- edge: stg.player#elo -> main.player#elo IDENTITY
-- edge: stg.player#seen_at -> main.player#seen_at IDENTITY
-- edge: stg.player#elo -> main.player#best_elo IDENTITY
-- edge: main.player#best_elo -> main.player#best_elo TRANSFORMATION
-- edge: stg.player#elo -> main.player#best_elo TRANSFORMATION
-- edge: stg.player#player_id -> main.player FILTER
-- edge: stg.player#seen_at -> main.player FILTER
-- completeness: complete

INSERT INTO main.player (player_id, nick, elo, best_elo, seen_at)
SELECT player_id, nick, elo, elo, seen_at
FROM stg.player
QUALIFY row_number() OVER (PARTITION BY player_id ORDER BY seen_at DESC) = 1
ON CONFLICT (player_id) DO UPDATE
SET nick = excluded.nick,
    elo = excluded.elo,
    best_elo = greatest(player.best_elo, excluded.elo),
    seen_at = excluded.seen_at;
