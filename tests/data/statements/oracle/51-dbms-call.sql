-- completeness: any

BEGIN DBMS_MVIEW.REFRESH('D.M', 'C'); END;
/
