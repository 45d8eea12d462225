-- columns: d.s(a, b)
-- edge: d.s#a -> d.x#a IDENTITY
-- edge: d.s#b -> d.y#b IDENTITY
-- completeness: complete

SET 'pipeline.name' = 'two sinks';
SET 'execution.checkpointing.interval' = '1 min';
BEGIN STATEMENT SET;
INSERT INTO d.x (a) SELECT a FROM d.s;
INSERT INTO d.y (b) SELECT b FROM d.s;
END;
