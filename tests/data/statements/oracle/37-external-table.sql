-- columns: D.E(A, B)
-- completeness: any

INSERT /*+ APPEND */ INTO d.t SELECT a, b FROM EXTERNAL ((a NUMBER, b VARCHAR2(10)) TYPE ORACLE_LOADER DEFAULT DIRECTORY dd LOCATION ('f.csv'))
