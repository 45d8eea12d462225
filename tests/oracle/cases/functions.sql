-- run
CREATE TEMPORARY FUNCTION add2(p INT, q INT) RETURNS INT RETURN p + q;
-- run
CREATE TEMPORARY FUNCTION const1() RETURNS INT RETURN 1;
-- run
CREATE TEMPORARY FUNCTION pick(p INT, q STRING) RETURNS STRING RETURN CASE WHEN p > 1 THEN q ELSE 'none' END;
-- run
CREATE TEMPORARY FUNCTION top_x() RETURNS INT RETURN (SELECT max(x) FROM t3);
-- run
CREATE TEMPORARY FUNCTION x_of(k INT) RETURNS INT RETURN (SELECT max(x) FROM t3 WHERE t3.a = k);
-- run
CREATE TEMPORARY FUNCTION rows_of(k INT) RETURNS TABLE (p INT, q STRING) RETURN SELECT x, y FROM t3 WHERE t3.a = k;
-- run
CREATE TEMPORARY FUNCTION doubled(k INT) RETURNS TABLE (p INT, q INT) RETURN SELECT k, k * 2;
-- run
CREATE TEMPORARY FUNCTION twice(k INT) RETURNS INT RETURN add2(k, k);
-- run
CREATE TEMPORARY FUNCTION dflt(k INT, j INT DEFAULT 7) RETURNS INT RETURN k * j;
SELECT add2(a, b) FROM t1;
SELECT const1(), const1() + a FROM t1;
SELECT pick(a, c) AS k FROM t1;
SELECT top_x() + a FROM t1;
SELECT x_of(b) FROM t1;
SELECT twice(a) AS t FROM t1;
SELECT dflt(b), dflt(a, b) FROM t1;
SELECT sum(add2(a, b)), add2(max(a), 1) FROM t1;
SELECT a FROM t1 WHERE add2(a, b) > 1;
SELECT * FROM rows_of(1);
SELECT r.q FROM t1, LATERAL rows_of(t1.a) r;
SELECT d.p, d.q FROM t1, LATERAL doubled(b) d;
SELECT d.q + t1.a FROM t1 JOIN LATERAL doubled(t1.b) AS d ON true;
SELECT add2(q => a, p => b) FROM t1;
SELECT add2((SELECT max(x) FROM t3), a) FROM t1;
SELECT (SELECT max(p) FROM rows_of(5)) AS m, c FROM t1;
SELECT nvl(a, b), nvl2(a, b, c), ifnull(a, b), nullif(a, b), coalesce(a, b, 0), greatest(a, b) FROM t1;
SELECT date_add(d, a), datediff(d, current_date()), extract(YEAR FROM d), trunc(d, 'MM'), date_part('month', d) FROM t1;
SELECT substring(c FROM a FOR b), position('x' IN c), trim(BOTH 'x' FROM c), overlay(c PLACING 'k' FROM a), c || d FROM t1;
SELECT cast(a AS STRING), a::double, try_cast(c AS INT), a BETWEEN b AND 9, c LIKE 'x%', c RLIKE 'y', a <=> b, a DIV b FROM t1;
SELECT c LIKE ALL ('a%', '%b'), c NOT LIKE ANY ('x', 'y'), c ILIKE 'k' FROM t1;
SELECT current_timestamp(), current_user(), rand(), uuid(), monotonically_increasing_id(), input_file_name(), version() FROM t1;
SELECT interval 1 day + d, make_date(a, b, 1), timestampadd(HOUR, a, d), date_diff(DAY, d, d) FROM t1;
SELECT c COLLATE UTF8_LCASE, collation(c), collate(c, 'UNICODE') FROM t1;
SELECT typeof(a), raise_error(c), equal_null(a, b), zeroifnull(a), isnull(b), isnotnull(c) FROM t1;
SELECT window(cast(d AS timestamp), '1 day').start, count(*) FROM t1 GROUP BY window(cast(d AS timestamp), '1 day');
SELECT width_bucket(a, 0, 10, b), bround(a, 1), hash(a, b), xxhash64(c), md5(c), sha2(c, 256) FROM t1;
SELECT if(a > 1, b, 0), decode(a, 1, b, 2, b, 0), CASE a WHEN b THEN c ELSE 'k' END FROM t1;
SELECT assert_true(a > b), assert_true(c = 'x', 'wrong') FROM t1;
SELECT typeof(array(st_geogfromwkb(cast(c AS binary)), st_geogfromwkb(cast(c AS binary))::GEOGRAPHY(ANY))) FROM t1;
