-- completeness: complete
-- edge: src.e#id -> dw.t#id IDENTITY

INSERT INTO dw.t (id, d) SELECT id, sysdate FROM src.e
