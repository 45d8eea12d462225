-- edge: d.t#* -> d.t_old#* IDENTITY
-- edge: d.t_new#* -> d.t#* IDENTITY
-- completeness: any

ALTER TABLE d.t RENAME t_old;
ALTER TABLE d.t_new RENAME t;
