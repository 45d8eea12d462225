-- completeness: any

CREATE PROCEDURE dbo.p @rows dbo.IdList READONLY AS
INSERT INTO dw.a (id) SELECT id FROM @rows
