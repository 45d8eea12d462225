-- edge: ref.holiday#name -> dim.cal#holiday IDENTITY
-- edge: ref.holiday#day -> dim.cal JOIN
-- completeness: any
-- note: the days are made of constants

CREATE TABLE dim.cal AS
WITH RECURSIVE d(day) AS (
  SELECT DATE '2024-01-01'
  UNION ALL
  SELECT day + 1 FROM d WHERE day < DATE '2024-12-31'
)
SELECT d.day, h.name AS holiday
FROM d LEFT JOIN ref.holiday h ON h.day = d.day;
