-- run
DECLARE VARIABLE var1 INT DEFAULT 5;
-- run
DECLARE VARIABLE title STRING DEFAULT 'abc';
-- run
DECLARE VARIABLE tab STRING DEFAULT 't1';
SELECT var1 FROM t1;
SELECT a + var1 AS k FROM t1;
SELECT session.var1, system.session.title, a FROM t1;
SELECT * FROM t1 WHERE a > var1 AND c = session.title;
SELECT a, (SELECT max(x) + var1 FROM t3) FROM t1;
SELECT c, title FROM t1;
SELECT dept.title, session.title FROM dept;
SELECT title FROM dept;
SELECT IDENTIFIER('a') FROM t1;
SELECT * FROM IDENTIFIER('t1');
SELECT IDENTIFIER('t1.a') + IDENTIFIER('b') FROM IDENTIFIER('default.t1');
SELECT IDENTIFIER('max')(a) FROM t1;
SELECT IDENTIFIER('t' || '1.c') FROM t1;
SELECT IDENTIFIER('a'), IDENTIFIER('upper')(c) FROM t1 ORDER BY IDENTIFIER('b');
SELECT var1 + sum(b) FROM t1 GROUP BY a;
SELECT max(a) AS title, title FROM t1;
