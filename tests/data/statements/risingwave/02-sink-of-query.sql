-- completeness: complete
-- edge: dw.a#id -> dw.snk#id IDENTITY
-- edge: dw.a#v -> dw.snk FILTER
-- edge: dw.a#v -> dw.snk#v IDENTITY

CREATE SINK dw.snk AS SELECT id, v FROM dw.a WHERE v > 1 WITH (connector = 'kafka', topic = 'o')
