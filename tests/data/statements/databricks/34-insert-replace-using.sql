-- columns: d.s(a, b)
-- columns: d.t(a, b)
-- edge: d.s#a -> d.t#a IDENTITY
-- edge: d.s#b -> d.t#b IDENTITY
-- edge: d.s#a -> d.t JOIN
-- edge: d.t#a -> d.t JOIN
-- completeness: complete
-- note: REPLACE USING takes away the target's rows that have the same a, as MERGE matches them by ON

INSERT INTO d.t REPLACE USING (a) SELECT a, b FROM d.s
