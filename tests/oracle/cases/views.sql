-- run
CREATE OR REPLACE TEMPORARY VIEW tv AS SELECT a, b + 1 AS b1, c FROM t1;
-- run
CREATE OR REPLACE TEMPORARY VIEW vals AS SELECT * FROM VALUES (1, 'a', 2.0), (2, 'b', 3.0) AS v(k, nm, amt);
-- run
CREATE OR REPLACE VIEW pv (k, l) AS SELECT max(a) AS ma, c FROM t1 GROUP BY c;
SELECT a, b1 FROM tv;
SELECT * FROM tv;
SELECT tv.*, vals.* FROM tv JOIN vals ON tv.a = vals.k;
SELECT nm, sum(amt) FROM vals GROUP BY nm;
SELECT l, k + 1 FROM pv;
SELECT p.k, t.b1 FROM pv p LEFT JOIN tv t ON p.k = t.a;
SELECT * FROM tv NATURAL JOIN t3;
WITH tv AS (SELECT k AS a FROM vals) SELECT a FROM tv;
SELECT (SELECT max(amt) FROM vals WHERE vals.k = tv.a) AS m FROM tv;
SELECT a FROM tv WHERE a IN (SELECT k FROM vals);
SELECT k FROM vals UNION ALL SELECT b1 FROM tv;
SELECT sum(amt) OVER (PARTITION BY nm ORDER BY k) FROM vals;
SELECT * FROM vals PIVOT (sum(amt) FOR nm IN ('a', 'b'));
SELECT * FROM default.pv, LATERAL (SELECT pv.k AS kk);
SELECT v1.k, v2.nm FROM vals v1, vals v2 WHERE v1.k = v2.k;
INSERT INTO t3 SELECT k, k, nm FROM vals;
-- run
CREATE GLOBAL TEMPORARY VIEW everywhere AS SELECT a, b FROM t1;
SELECT * FROM global_temp.everywhere;
-- run
CREATE OR REPLACE TEMPORARY VIEW listed AS VALUES (1, 2), (3, 4) AS v(p, q);
SELECT * FROM listed, t1;
-- run
CREATE OR REPLACE TEMPORARY VIEW quoted AS SELECT 1, 'word', decimal(b), int(a) FROM t1;
SELECT * FROM quoted;
CREATE VIEW compared DEFAULT COLLATION UNICODE AS SELECT c AS z, a FROM t1 WHERE c = 'x';
