-- completeness: complete
-- edge: src.e#a -> dw.t#n TRANSFORMATION
-- edge: src.e#b -> dw.t#n TRANSFORMATION
-- edge: src.e#id -> dw.t#id IDENTITY
-- edge: src.e#ts -> dw.t FILTER

INSERT INTO dw.t (id, d, u, n) SELECT id, CURRENT DATE, USER, a CONCAT b FROM src.e WHERE ts > CURRENT TIMESTAMP - 3 HOURS FOR FETCH ONLY
