-- columns: d.bids(item, price, bidtime)
-- edge: d.bids#bidtime -> d.hops#w TRANSFORMATION
-- edge: d.bids#item -> d.hops#item IDENTITY
-- edge: d.bids#price -> d.hops#best AGGREGATION
-- edge: d.bids#bidtime -> d.hops GROUP_BY
-- edge: d.bids#item -> d.hops GROUP_BY
-- completeness: complete

INSERT INTO d.hops (w, item, best)
SELECT window_end, item, MAX(price)
FROM TABLE(
  HOP(
    DATA => TABLE d.bids,
    TIMECOL => DESCRIPTOR(bidtime),
    SLIDE => INTERVAL '5' MINUTES,
    SIZE => INTERVAL '10' MINUTES))
GROUP BY window_start, window_end, item;
