-- columns: dw.p(id, best)
-- columns: dw.offer(pid, price, ok)
-- edge: dw.offer#price -> dw.p#best AGGREGATION
-- edge: dw.offer#pid -> dw.p FILTER
-- edge: dw.p#id -> dw.p FILTER
-- edge: dw.offer#ok -> dw.p FILTER
-- completeness: complete
-- note: the subquery's own conditions decide about the rows it reads

UPDATE dw.p SET best = (SELECT min(o.price) FROM dw.offer o WHERE o.pid = dw.p.id AND o.ok);
