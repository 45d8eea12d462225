-- columns: dw.u(id, nm, flag)
-- edge: dw.u#flag -> dw.u FILTER
-- completeness: complete

DELETE FROM dw.u WHERE flag = 0;
