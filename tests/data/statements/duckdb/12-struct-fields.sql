-- columns: raw.r(id, st STRUCT(a INT, b INT))
-- edge: raw.r#id -> dw.r#id IDENTITY
-- edge: raw.r#st.a -> dw.r#a IDENTITY
-- edge: raw.r#st.b -> dw.r#b2 TRANSFORMATION
-- completeness: complete

CREATE TABLE dw.r AS SELECT r.id, r.st.a AS a, r.st.b * 2 AS b2 FROM raw.r AS r;
