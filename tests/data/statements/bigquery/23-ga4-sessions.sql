-- columns: acme.ga4.events(event_date, event_timestamp, event_name, user_pseudo_id, event_params ARRAY<STRUCT<key STRING, value STRUCT<string_value STRING, int_value INT64>>>, geo STRUCT<country STRING, city STRING>)
-- edge: acme.ga4.events#user_pseudo_id -> acme.mart.sessions#user_pseudo_id IDENTITY
-- edge: acme.ga4.events#event_params.value.int_value -> acme.mart.sessions#session_id IDENTITY
-- edge: acme.ga4.events#event_timestamp -> acme.mart.sessions#started AGGREGATION
-- edge: acme.ga4.events#geo.country -> acme.mart.sessions#country AGGREGATION
-- edge: acme.ga4.events#event_timestamp -> acme.mart.sessions#pages AGGREGATION
-- edge: acme.ga4.events#event_name -> acme.mart.sessions#pages CONDITIONAL
-- edge: acme.ga4.events#event_date -> acme.mart.sessions FILTER
-- edge: acme.ga4.events#event_params.key -> acme.mart.sessions FILTER
-- edge: acme.ga4.events#event_params.value.int_value -> acme.mart.sessions FILTER
-- edge: acme.ga4.events#user_pseudo_id -> acme.mart.sessions GROUP_BY
-- edge: acme.ga4.events#event_params.value.int_value -> acme.mart.sessions GROUP_BY
-- completeness: complete
-- note: the key is asked inside of a scalar subquery over the row's own array

CREATE OR REPLACE TABLE `acme.mart.sessions` AS
WITH base AS (
  SELECT user_pseudo_id,
         (SELECT p.value.int_value FROM UNNEST(event_params) AS p WHERE p.key = 'ga_session_id') AS session_id,
         event_timestamp, event_name, geo.country AS country
  FROM `acme.ga4.events`
  WHERE event_date = '20240101'
)
SELECT user_pseudo_id, session_id,
       MIN(event_timestamp) AS started,
       MAX(country) AS country,
       COUNT(DISTINCT IF(event_name = 'page_view', event_timestamp, NULL)) AS pages
FROM base
WHERE session_id IS NOT NULL
GROUP BY user_pseudo_id, session_id;
