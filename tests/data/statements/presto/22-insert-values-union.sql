-- columns: hive.ref.calendar(day, kind, label)
-- columns: hive.raw.holiday(on_day, country, title)
-- edge: hive.raw.holiday#on_day -> hive.ref.calendar#day IDENTITY
-- edge: hive.raw.holiday#title -> hive.ref.calendar#label TRANSFORMATION
-- edge: hive.raw.holiday#country -> hive.ref.calendar FILTER
-- completeness: complete

INSERT INTO hive.ref.calendar
SELECT on_day, 'holiday', upper(title)
FROM hive.raw.holiday
WHERE country = 'DE'
UNION ALL
SELECT d, 'extra', l
FROM (VALUES (DATE '2025-12-24', 'HALF DAY'), (DATE '2025-12-31', 'HALF DAY')) AS v (d, l)
