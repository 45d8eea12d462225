-- completeness: complete
-- edge: src.e#id -> dw.t#id IDENTITY

INSERT INTO dw.t (id, u, r, c) SELECT id, user, current_role, current_catalog FROM src.e
