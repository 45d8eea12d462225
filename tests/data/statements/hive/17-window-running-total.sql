-- columns: dws.running(uid, paid_at, amt, running_amt, prev_amt)
-- edge: dwd.payments#uid -> dws.running#uid IDENTITY
-- edge: dwd.payments#paid_at -> dws.running#paid_at IDENTITY
-- edge: dwd.payments#amt -> dws.running#amt IDENTITY
-- edge: dwd.payments#amt -> dws.running#running_amt AGGREGATION
-- edge: dwd.payments#uid -> dws.running#running_amt WINDOW
-- edge: dwd.payments#paid_at -> dws.running#running_amt WINDOW
-- edge: dwd.payments#amt -> dws.running#prev_amt TRANSFORMATION
-- edge: dwd.payments#uid -> dws.running#prev_amt WINDOW
-- edge: dwd.payments#paid_at -> dws.running#prev_amt WINDOW
-- completeness: any

INSERT OVERWRITE TABLE dws.running
SELECT uid, paid_at, amt,
       sum(amt) OVER (PARTITION BY uid ORDER BY paid_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
       lag(amt, 1) OVER (PARTITION BY uid ORDER BY paid_at)
FROM dwd.payments;
