-- columns: D.Orders(Id, Amount)
-- edge: D.Orders#Id -> D.Out#Id IDENTITY
-- edge: D.Orders#Amount -> D.Out#Total TRANSFORMATION
-- completeness: complete
-- note: names keep their case, quoted or not

INSERT INTO D.Out (Id, Total) SELECT Id, Amount * 2 FROM D.Orders;
