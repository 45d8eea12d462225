-- columns: k.s(id,amt,ts)
-- columns: k.d(ws,id,s)
-- edge: k.s#id -> k.d#id IDENTITY
-- edge: k.s#ts -> k.d#ws TRANSFORMATION
-- edge: k.s#amt -> k.d#s AGGREGATION
-- edge: k.s#id -> k.d GROUP_BY
-- edge: k.s#ts -> k.d GROUP_BY
-- completeness: any

INSERT INTO k.d SELECT window_start, id, SUM(amt) FROM TABLE(TUMBLE(TABLE k.s, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, id
