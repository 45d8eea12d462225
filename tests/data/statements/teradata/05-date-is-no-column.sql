-- completeness: complete
-- edge: src.e#d -> dw.t FILTER
-- edge: src.e#id -> dw.t#id IDENTITY

INSERT INTO dw.t (id) SELECT id FROM src.e WHERE d < date
