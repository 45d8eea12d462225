-- columns: shard1.h(k, v)
-- columns: shard2.h(k, v)
-- columns: dw.h(k, v)
-- edge: shard1.h#k -> dw.h#k IDENTITY
-- edge: shard2.h#k -> dw.h#k IDENTITY
-- edge: shard1.h#v -> dw.h#v IDENTITY
-- edge: shard2.h#v -> dw.h#v IDENTITY
-- completeness: complete

INSERT INTO dw.h
SELECT k, v FROM shard1.h
UNION ALL
SELECT k, v FROM shard2.h;
