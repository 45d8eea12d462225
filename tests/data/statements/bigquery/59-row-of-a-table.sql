-- completeness: any
-- edge: raw.users#* -> dw.t#j TRANSFORMATION

INSERT INTO dw.t (j) SELECT TO_JSON_STRING(u) FROM raw.users u
