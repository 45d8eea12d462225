-- columns: dwd.parcel(parcel_no, status, station, op_time)
-- edge: ods.parcel_trace#parcel_no -> dwd.parcel#parcel_no IDENTITY
-- edge: ods.parcel_trace#station -> dwd.parcel#station IDENTITY
-- edge: ods.parcel_trace#status -> dwd.parcel#status IDENTITY
-- edge: ods.parcel_trace#op_time -> dwd.parcel#op_time IDENTITY
-- edge: ods.parcel_trace#dt -> dwd.parcel FILTER
-- edge: ods.parcel_trace#parcel_no -> dwd.parcel FILTER
-- edge: ods.parcel_trace#op_time -> dwd.parcel FILTER
-- completeness: complete

INSERT INTO dwd.parcel (parcel_no, status, station, op_time)
SELECT parcel_no, status, station, op_time
FROM (
    SELECT parcel_no, status, station, op_time,
           ROW_NUMBER() OVER (PARTITION BY parcel_no ORDER BY op_time DESC) AS rn
    FROM ods.parcel_trace
    WHERE dt BETWEEN '2025-06-01' AND '2025-06-07'
) x
WHERE rn = 1;
