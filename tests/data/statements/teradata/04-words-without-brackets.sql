-- completeness: complete
-- edge: src.e#id -> dw.t#id IDENTITY

INSERT INTO dw.t (id, d, u, s) SELECT id, date, user, session FROM src.e
