-- columns: chat.message(id, room_id, body, sent_at)
-- columns: chat.message_archive(id, room_id, body, sent_at, archived_at)
-- edge: chat.message#sent_at -> chat.message FILTER
-- edge: chat.message#id -> chat.message_archive#id IDENTITY
-- edge: chat.message#room_id -> chat.message_archive#room_id IDENTITY
-- edge: chat.message#body -> chat.message_archive#body IDENTITY
-- edge: chat.message#sent_at -> chat.message_archive#sent_at IDENTITY
-- edge: chat.message#sent_at -> chat.message_archive FILTER
-- completeness: complete

WITH gone AS (
    DELETE FROM chat.message
    WHERE sent_at < now() - interval '18 months'
    RETURNING id, room_id, body, sent_at
)
INSERT INTO chat.message_archive (id, room_id, body, sent_at, archived_at)
SELECT id, room_id, body, sent_at, now()
FROM gone;
