-- edge: c.s.raw#id -> c.d.st#id IDENTITY
-- edge: c.s.raw#val -> c.d.st#val TRANSFORMATION
-- completeness: any

CREATE OR REFRESH STREAMING TABLE c.d.st AS SELECT id, cast(val AS double) AS val FROM STREAM(c.s.raw)
