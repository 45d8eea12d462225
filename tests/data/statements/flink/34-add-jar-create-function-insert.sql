-- columns: d.r(k,v)
-- columns: d.u(k,w)
-- edge: d.r#k -> d.u#k IDENTITY
-- edge: d.r#v -> d.u#w TRANSFORMATION
-- completeness: complete

ADD JAR '/opt/udf.jar';
CREATE TEMPORARY FUNCTION clean AS 'com.x.Clean' LANGUAGE JAVA;
INSERT INTO d.u SELECT k, clean(v) FROM d.r;
