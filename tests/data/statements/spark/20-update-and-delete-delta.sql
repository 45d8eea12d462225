-- columns: dw.member(id, level, points, active)
-- edge: dw.member#points -> dw.member#level CONDITIONAL
-- edge: dw.member#active -> dw.member FILTER
-- edge: dw.member#points -> dw.member FILTER
-- completeness: complete

UPDATE dw.member SET level = CASE WHEN points > 1000 THEN 'gold' ELSE 'silver' END WHERE active = true;
DELETE FROM dw.member WHERE points < 0;
