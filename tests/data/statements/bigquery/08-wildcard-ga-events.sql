-- database: acme
-- edge: acme.ga.events_*#user_pseudo_id -> acme.mart.pv#user_pseudo_id IDENTITY
-- edge: acme.ga.events_*#event_timestamp -> acme.mart.pv#last_ts AGGREGATION
-- edge: acme.ga.events_*#event_name -> acme.mart.pv FILTER
-- edge: acme.ga.events_*#user_pseudo_id -> acme.mart.pv GROUP_BY
-- completeness: any

CREATE OR REPLACE TABLE mart.pv AS
SELECT user_pseudo_id, MAX(event_timestamp) AS last_ts
FROM `acme.ga.events_*`
WHERE event_name = 'page_view'
GROUP BY user_pseudo_id;
