-- columns: p.d.t(a, b)
-- edge: p.d.t#a -> p.d.s#a IDENTITY
-- edge: p.d.t#b -> p.d.s#b IDENTITY
-- edge: p.d.t#a -> p.d.c#a IDENTITY
-- edge: p.d.t#b -> p.d.c#b IDENTITY
-- completeness: any

CREATE SNAPSHOT TABLE `p.d.s` CLONE `p.d.t` FOR SYSTEM_TIME AS OF TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR);
CREATE TABLE `p.d.c` COPY `p.d.t`;
