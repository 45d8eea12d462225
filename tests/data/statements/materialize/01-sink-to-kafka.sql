-- completeness: any
-- edge: raw.a#* -> dw.s#* IDENTITY

CREATE SINK dw.s FROM raw.a INTO KAFKA CONNECTION k (TOPIC 'x') FORMAT JSON ENVELOPE UPSERT
