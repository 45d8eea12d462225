-- columns: dbo.q(id,st,at)
-- columns: dbo.w(id)
-- edge: dbo.q#at -> dbo.q SORT
-- edge: dbo.q#st -> dbo.q FILTER
-- edge: dbo.q#id -> dbo.w#id IDENTITY
-- edge: dbo.q#st -> dbo.w FILTER
-- edge: dbo.q#at -> dbo.w SORT
-- completeness: complete

WITH n AS (SELECT TOP (10) id, st FROM dbo.q WHERE st = 'new' ORDER BY at)
UPDATE n SET st = 'run' OUTPUT inserted.id INTO dbo.w (id);
