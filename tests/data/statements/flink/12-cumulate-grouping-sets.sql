-- columns: d.bids(item, supplier, price, bidtime)
-- edge: d.bids#bidtime -> d.cum#window_time TRANSFORMATION
-- edge: d.bids#supplier -> d.cum#supplier IDENTITY
-- edge: d.bids#price -> d.cum#total AGGREGATION
-- edge: d.bids#bidtime -> d.cum GROUP_BY
-- edge: d.bids#supplier -> d.cum GROUP_BY
-- completeness: complete

INSERT INTO d.cum (window_time, supplier, total)
SELECT window_time, supplier, SUM(price)
FROM TABLE(CUMULATE(TABLE d.bids, DESCRIPTOR(bidtime), INTERVAL '2' MINUTES, INTERVAL '10' MINUTES))
GROUP BY window_start, window_end, window_time, GROUPING SETS ((supplier), ());
