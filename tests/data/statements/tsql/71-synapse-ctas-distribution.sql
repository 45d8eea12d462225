-- edge: raw.tripext#tripid -> stg.trip#tripid IDENTITY
-- edge: raw.tripext#fare -> stg.trip#fare TRANSFORMATION
-- edge: raw.tripext#fare -> stg.trip FILTER
-- completeness: complete

CREATE TABLE stg.Trip
WITH (DISTRIBUTION = HASH(TripId), CLUSTERED COLUMNSTORE INDEX)
AS
SELECT TripId, CAST(Fare AS decimal(10, 2)) AS Fare
FROM raw.TripExt
WHERE Fare > 0;
