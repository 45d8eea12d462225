-- edge: s.pay#at -> d.pay#d TRANSFORMATION
-- edge: s.pay#amt -> d.pay#amt AGGREGATION
-- edge: s.pay#amt -> d.pay FILTER
-- edge: s.pay#cur -> d.pay FILTER
-- edge: s.pay#at -> d.pay GROUP_BY
-- completeness: any

CREATE TABLE d.pay AS
SELECT DATE(at) AS d, SUM(amt) AS amt
FROM s.pay WHERE cur = 'EUR'
GROUP BY DATE(at)
HAVING SUM(amt) > 100;
