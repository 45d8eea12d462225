-- columns: d.bids(item, supplier, price, bidtime)
-- edge: d.bids#item -> d.top#item IDENTITY
-- edge: d.bids#price -> d.top#price IDENTITY
-- edge: d.bids#bidtime -> d.top#window_start TRANSFORMATION
-- edge: d.bids#price -> d.top#rn WINDOW
-- edge: d.bids#bidtime -> d.top#rn WINDOW
-- edge: d.bids#price -> d.top FILTER
-- edge: d.bids#bidtime -> d.top FILTER
-- completeness: complete

INSERT INTO d.top (item, price, window_start, rn)
SELECT item, price, window_start, rn
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY price DESC) AS rn
  FROM TABLE(TUMBLE(TABLE d.bids, DESCRIPTOR(bidtime), INTERVAL '10' MINUTES))
)
WHERE rn <= 3;
