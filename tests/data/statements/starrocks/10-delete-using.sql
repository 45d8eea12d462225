-- columns: dw.o(id, cid)
-- columns: ops.ban(cid)
-- edge: dw.o#cid -> dw.o FILTER
-- edge: ops.ban#cid -> dw.o FILTER
-- completeness: complete

DELETE FROM dw.o USING ops.ban b WHERE dw.o.cid = b.cid;
