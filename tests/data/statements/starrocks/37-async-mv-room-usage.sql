-- edge: hotel.booking#stay_date -> mv.room_usage#stay_date IDENTITY
-- edge: hotel.room#room_type -> mv.room_usage#room_type IDENTITY
-- edge: hotel.booking#booking_id -> mv.room_usage#nights AGGREGATION
-- edge: hotel.booking#price -> mv.room_usage#revenue AGGREGATION
-- edge: hotel.booking#room_id -> mv.room_usage JOIN
-- edge: hotel.room#room_id -> mv.room_usage JOIN
-- edge: hotel.booking#state -> mv.room_usage FILTER
-- edge: hotel.booking#stay_date -> mv.room_usage GROUP_BY
-- edge: hotel.room#room_type -> mv.room_usage GROUP_BY
-- completeness: complete

CREATE MATERIALIZED VIEW mv.room_usage
PARTITION BY stay_date
DISTRIBUTED BY HASH(room_type) BUCKETS 6
REFRESH ASYNC START('2025-01-01 03:00:00') EVERY (INTERVAL 1 DAY)
PROPERTIES ("replication_num" = "3")
AS
SELECT b.stay_date, r.room_type, COUNT(b.booking_id) AS nights, SUM(b.price) AS revenue
FROM hotel.booking b
LEFT JOIN hotel.room r ON b.room_id = r.room_id
WHERE b.state <> 'CANCELLED'
GROUP BY b.stay_date, r.room_type;
