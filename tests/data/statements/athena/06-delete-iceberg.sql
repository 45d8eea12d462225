-- columns: dw.l(id, ts)
-- edge: dw.l#ts -> dw.l FILTER
-- completeness: complete

DELETE FROM dw.l WHERE ts < date_add('day', -90, current_date)
