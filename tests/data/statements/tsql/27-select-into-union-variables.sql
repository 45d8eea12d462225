-- columns: dbo.jan(id, amt)
-- columns: dbo.feb(id, amt)
-- edge: dbo.jan#id -> tmp.q1#id IDENTITY
-- edge: dbo.feb#id -> tmp.q1#id IDENTITY
-- edge: dbo.jan#amt -> tmp.q1#amt IDENTITY
-- edge: dbo.feb#amt -> tmp.q1#amt IDENTITY
-- edge: dbo.jan#amt -> tmp.q1 FILTER
-- edge: dbo.feb#amt -> tmp.q1 FILTER
-- completeness: complete

DECLARE @min decimal(10,2) = 5;
SELECT id, amt INTO tmp.q1 FROM dbo.jan WHERE amt >= @min
UNION ALL
SELECT id, amt FROM dbo.feb WHERE amt >= @min;
