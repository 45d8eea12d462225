-- completeness: any

ALTER TABLE d.t ADD PROJECTION p (SELECT a, sum(b) GROUP BY a)
