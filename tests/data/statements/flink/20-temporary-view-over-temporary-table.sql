-- edge: d.src#id -> d.o#id IDENTITY
-- edge: d.src#v -> d.o#total AGGREGATION
-- edge: d.src#id -> d.o GROUP_BY
-- completeness: complete
-- note: TEMPORARY is the definition, not the rows: they lie in a topic

CREATE TEMPORARY TABLE d.src (id BIGINT, v INT) WITH ('connector' = 'kafka', 'topic' = 'src');
CREATE TEMPORARY VIEW d.v AS SELECT id, v AS w FROM d.src;
CREATE TABLE d.o (id BIGINT, total INT) WITH ('connector' = 'print');
INSERT INTO d.o SELECT id, SUM(w) FROM d.v GROUP BY id;
