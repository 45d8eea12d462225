-- completeness: any
-- edge: raw.a#* -> dw.s#* IDENTITY

CREATE SINK dw.s FROM raw.a WITH (connector = 'kafka', topic = 'x')
