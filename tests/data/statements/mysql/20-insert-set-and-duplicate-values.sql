-- columns: m.day(k, hits)
-- columns: m.tot(k, hits)
-- edge: m.day#k -> m.tot#k IDENTITY
-- edge: m.day#hits -> m.tot#hits AGGREGATION
-- edge: m.tot#hits -> m.tot#hits TRANSFORMATION
-- edge: m.day#k -> m.tot GROUP_BY
-- completeness: complete

INSERT INTO m.tot (k, hits)
SELECT k, SUM(hits) FROM m.day GROUP BY k
ON DUPLICATE KEY UPDATE hits = m.tot.hits + VALUES(hits);
