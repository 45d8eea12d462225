-- columns: d.u(id, pts, lvl)
-- edge: d.u#pts -> d.u#lvl CONDITIONAL
-- edge: d.u#lvl -> d.u FILTER
-- completeness: complete

UPDATE d.u SET lvl = CASE WHEN pts > 100 THEN 3 WHEN pts > 10 THEN 2 ELSE 1 END WHERE lvl < 3;
