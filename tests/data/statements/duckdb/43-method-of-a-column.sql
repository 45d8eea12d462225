-- completeness: complete
-- edge: raw.t#name -> dw.t#x TRANSFORMATION

INSERT INTO dw.t (x) SELECT name.upper() FROM raw.t
