-- columns: d.bids(item, price, bidtime)
-- edge: d.bids#bidtime -> d.per_window#window_start TRANSFORMATION
-- edge: d.bids#bidtime -> d.per_window#window_end TRANSFORMATION
-- edge: d.bids#price -> d.per_window#total AGGREGATION
-- edge: d.bids#bidtime -> d.per_window GROUP_BY
-- completeness: complete

INSERT INTO d.per_window (window_start, window_end, total)
SELECT window_start, window_end, SUM(price)
FROM TABLE(TUMBLE(TABLE d.bids, DESCRIPTOR(bidtime), INTERVAL '10' MINUTES))
GROUP BY window_start, window_end;
