-- edge: R.SRC#ID -> A.T#ID IDENTITY
-- edge: R.SRC#X -> A.T#X IDENTITY
-- completeness: any

create or replace task a.load warehouse = wh schedule = '5 minute' as insert into a.t (id, x) select id, x from r.src
