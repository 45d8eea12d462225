-- columns: D.N(ID)
-- completeness: any

CREATE OR REPLACE SYNONYM d.cur FOR d.n;
