-- columns: d.o(id,amt,cid)
-- columns: d.tot(cid,amt)
-- edge: d.o#amt -> d.tot#amt TRANSFORMATION
-- edge: d.tot#amt -> d.tot#amt TRANSFORMATION
-- edge: d.o#cid -> d.tot FILTER
-- edge: d.tot#cid -> d.tot FILTER
-- completeness: any

CREATE TRIGGER d.ai AFTER INSERT ON d.o FOR EACH ROW
BEGIN
  UPDATE d.tot SET amt = amt + NEW.amt WHERE cid = NEW.cid;
END
