-- columns: p.d.t(a, b)
-- edge: p.d.t#a -> p.d.o#a IDENTITY
-- completeness: any

INSERT INTO `p.d.o` (a) SELECT a FROM APPENDS(TABLE `p.d.t`, TIMESTAMP '2024-01-01 00:00:00', NULL)
