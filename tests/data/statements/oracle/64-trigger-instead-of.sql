-- columns: D.V(ID,X)
-- columns: D.T(ID,X)
-- edge: D.V#ID -> D.T#ID IDENTITY
-- edge: D.V#X -> D.T#X IDENTITY
-- completeness: any

CREATE OR REPLACE TRIGGER d.v_ins INSTEAD OF INSERT ON d.v FOR EACH ROW
BEGIN
  INSERT INTO d.t (id, x) VALUES (:NEW.id, :NEW.x);
END;
