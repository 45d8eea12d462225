-- columns: acme.dw.t(id, val)
-- edge: acme.raw.t#id -> acme.dw.t#id IDENTITY
-- edge: acme.raw.t#val -> acme.dw.t#val IDENTITY
-- edge: acme.raw.t#ds -> acme.dw.t FILTER
-- completeness: any

INSERT INTO `acme.dw.t` (id, val)
SELECT id, val FROM `acme.raw.t` WHERE ds = '{{ ds }}';
