-- columns: p.log(line,ds)
-- columns: p.ev(uid,act)
-- edge: p.log#line -> p.ev#uid TRANSFORMATION
-- edge: p.log#line -> p.ev#act TRANSFORMATION
-- edge: p.log#ds -> p.ev FILTER
-- completeness: complete

INSERT OVERWRITE TABLE p.ev PARTITION (ds='20240101') 
SELECT t.uid, t.act FROM p.log LATERAL VIEW json_tuple(line, 'uid', 'act') t AS uid, act WHERE ds = '20240101'
ZORDER BY uid, act
