-- completeness: any

ALTER TABLE d.t RENAME t_old;
ALTER TABLE d.t_new RENAME t;
