-- edge: dbo.a#id -> mart.ab#id IDENTITY
-- edge: dbo.b#w -> mart.ab#w IDENTITY
-- edge: dbo.a#id -> mart.ab JOIN
-- edge: dbo.b#a_id -> mart.ab JOIN
-- edge: dbo.b#ok -> mart.ab FILTER
-- completeness: any

INSERT INTO mart.ab (id, w)
SELECT a.id, b.w
FROM dbo.a a WITH (NOLOCK)
JOIN dbo.b b WITH (NOLOCK) ON b.a_id = a.id
WHERE b.ok = 1;
