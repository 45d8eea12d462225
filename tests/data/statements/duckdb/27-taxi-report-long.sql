-- columns: raw.trip(vendor, pickup, dropoff, dist, fare, tip, zone_id, pay)
-- columns: ref.zone(zone_id, borough, zone)
-- edge: ref.zone#borough -> mart.borough#borough IDENTITY
-- edge: raw.trip#pickup -> mart.borough#hour TRANSFORMATION
-- edge: raw.trip#dist -> mart.borough#trips AGGREGATION
-- edge: raw.trip#dist -> mart.borough#mph AGGREGATION
-- edge: raw.trip#pickup -> mart.borough#mph AGGREGATION
-- edge: raw.trip#dropoff -> mart.borough#mph AGGREGATION
-- edge: raw.trip#tip -> mart.borough#tip_rate AGGREGATION
-- edge: raw.trip#fare -> mart.borough#tip_rate AGGREGATION
-- edge: raw.trip#pay -> mart.borough#tip_rate CONDITIONAL
-- edge: ref.zone#zone -> mart.borough#top_zone AGGREGATION
-- edge: raw.trip#fare -> mart.borough#top_zone AGGREGATION
-- edge: raw.trip#dist -> mart.borough#share AGGREGATION
-- edge: raw.trip#pickup -> mart.borough#share WINDOW
-- edge: raw.trip#fare -> mart.borough FILTER
-- edge: raw.trip#dist -> mart.borough FILTER
-- edge: raw.trip#dropoff -> mart.borough FILTER
-- edge: raw.trip#pickup -> mart.borough FILTER
-- edge: raw.trip#zone_id -> mart.borough JOIN
-- edge: ref.zone#zone_id -> mart.borough JOIN
-- edge: ref.zone#borough -> mart.borough GROUP_BY
-- edge: raw.trip#pickup -> mart.borough GROUP_BY
-- completeness: complete

CREATE OR REPLACE TABLE mart.borough AS
WITH ok AS (
    SELECT *, date_diff('minute', pickup, dropoff) AS mins
    FROM raw.trip
    WHERE fare > 0 AND dist BETWEEN 0.1 AND 100
),
named AS (
    SELECT z.borough, z.zone, hour(o.pickup) AS hour,
           o.dist, o.mins, o.fare,
           CASE WHEN o.pay = 'card' THEN o.tip END AS card_tip
    FROM ok AS o
    JOIN ref.zone AS z USING (zone_id)
    WHERE o.mins > 0
),
agg AS (
    SELECT borough, hour,
           count(dist) AS trips,
           sum(dist) / sum(mins) * 60 AS mph,
           sum(card_tip) / sum(fare) AS tip_rate,
           arg_max(zone, fare) AS top_zone
    FROM named
    GROUP BY borough, hour
)
SELECT borough, hour, trips, mph, tip_rate, top_zone,
       trips / sum(trips) OVER (PARTITION BY hour) AS share
FROM agg;
