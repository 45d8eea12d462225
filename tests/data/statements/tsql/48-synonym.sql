-- completeness: any

CREATE SYNONYM dbo.cur FOR dw.dbo.t
