-- columns: d.bids(item, price, bidtime)
-- edge: d.bids#item -> d.sessions#item IDENTITY
-- edge: d.bids#bidtime -> d.sessions#started TRANSFORMATION
-- edge: d.bids#price -> d.sessions#total AGGREGATION
-- edge: d.bids#item -> d.sessions GROUP_BY
-- edge: d.bids#bidtime -> d.sessions GROUP_BY
-- completeness: complete
-- note: window borders come from the time column; the partition is in GROUP BY, too

INSERT INTO d.sessions (item, started, total)
SELECT item, window_start, SUM(price)
FROM TABLE(SESSION(TABLE d.bids PARTITION BY item, DESCRIPTOR(bidtime), INTERVAL '2' MINUTES))
GROUP BY item, window_start, window_end;
