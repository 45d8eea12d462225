-- columns: dbo.log(id, at)
-- edge: dbo.log#at -> dbo.log FILTER
-- completeness: complete

DECLARE @n int = 1;
WHILE @n > 0
BEGIN
    DELETE TOP (5000) FROM dbo.log WHERE at < DATEADD(day, -90, GETDATE());
    SET @n = @@ROWCOUNT;
END
