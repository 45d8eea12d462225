-- columns: d.stage(id, v)
-- columns: d.fact(id, v)
-- columns: d.arch(id, v)
-- edge: d.stage#id -> d.fact#id IDENTITY
-- edge: d.stage#v -> d.fact#v IDENTITY
-- edge: d.fact#id -> d.stage#id IDENTITY
-- edge: d.fact#v -> d.stage#v IDENTITY
-- edge: d.fact#id -> d.arch#id IDENTITY
-- edge: d.fact#v -> d.arch#v IDENTITY
-- completeness: complete

SELECT SWAP_PARTITIONS_BETWEEN_TABLES('d.stage', '2024-01-01', '2024-01-31', 'd.fact');
SELECT MOVE_PARTITIONS_TO_TABLE('d.fact', '2023-01-01', '2023-01-31', 'd.arch', 'true');
