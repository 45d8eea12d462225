-- columns: k.o(id,cur,at)
-- columns: k.r(cur,rate)
-- columns: k.x(id,rate)
-- edge: k.o#id -> k.x#id IDENTITY
-- edge: k.r#rate -> k.x#rate IDENTITY
-- edge: k.o#cur -> k.x JOIN
-- edge: k.r#cur -> k.x JOIN
-- edge: k.o#at -> k.x JOIN
-- completeness: any

INSERT INTO k.x SELECT o.id, r.rate FROM k.o AS o LEFT JOIN k.r FOR SYSTEM_TIME AS OF o.at AS r ON o.cur = r.cur
