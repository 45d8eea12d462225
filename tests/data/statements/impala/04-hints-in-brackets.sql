-- completeness: complete
-- edge: raw.a#id -> dw.t#id IDENTITY
-- edge: raw.a#k -> dw.t JOIN
-- edge: raw.b#k -> dw.t JOIN
-- edge: raw.b#v -> dw.t#v IDENTITY

INSERT INTO dw.t [SHUFFLE] SELECT a.id, b.v FROM raw.a a JOIN [BROADCAST] raw.b b ON a.k = b.k
