-- columns: d.s(a)
-- edge: d.s#a -> d.t#a IDENTITY
-- completeness: any

set hive.exec.dynamic.partition.mode=nonstrict;
!echo start;
add jar hdfs:///x.jar;
create temporary function f as 'com.x.F';
INSERT INTO d.t (a) SELECT a FROM d.s;
