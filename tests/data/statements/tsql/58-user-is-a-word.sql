-- completeness: complete
-- edge: src.e#id -> dw.t#id IDENTITY

INSERT INTO dw.t (id, u) SELECT id, user FROM src.e
