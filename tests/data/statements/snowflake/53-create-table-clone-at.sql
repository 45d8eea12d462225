-- columns: P.T(A, B)
-- edge: P.T#A -> D.T#A IDENTITY
-- edge: P.T#B -> D.T#B IDENTITY
-- completeness: complete

create or replace table d.t clone p.t at (timestamp => '2024-01-01'::timestamp);
