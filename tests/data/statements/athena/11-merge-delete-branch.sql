-- columns: dw.sub(id, plan, ends, seats)
-- columns: stg.sub(id, plan, ends, seats, op)
-- edge: stg.sub#id -> dw.sub#id IDENTITY
-- edge: stg.sub#plan -> dw.sub#plan IDENTITY
-- edge: stg.sub#ends -> dw.sub#ends IDENTITY
-- edge: stg.sub#seats -> dw.sub#seats IDENTITY
-- edge: dw.sub#id -> dw.sub JOIN
-- edge: stg.sub#id -> dw.sub JOIN
-- edge: stg.sub#op -> dw.sub FILTER
-- edge: stg.sub#id -> dw.sub FILTER
-- edge: stg.sub#ends -> dw.sub FILTER
-- completeness: complete

MERGE INTO dw.sub AS t
USING (
  SELECT id, plan, ends, seats, op FROM (
    SELECT id, plan, ends, seats, op, row_number() OVER (PARTITION BY id ORDER BY ends DESC) AS rn
    FROM stg.sub
  ) WHERE rn = 1
) AS s
ON t.id = s.id
WHEN MATCHED AND s.op = 'D' THEN DELETE
WHEN MATCHED THEN UPDATE SET plan = s.plan, ends = s.ends, seats = s.seats
WHEN NOT MATCHED AND s.op <> 'D' THEN INSERT (id, plan, ends, seats) VALUES (s.id, s.plan, s.ends, s.seats)
