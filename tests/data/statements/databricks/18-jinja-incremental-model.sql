-- target: ns:mart.events
-- edge: stg.events#id -> mart.events#id IDENTITY
-- edge: stg.events#ts -> mart.events#ts IDENTITY
-- edge: stg.events#kind -> mart.events#kind IDENTITY
-- edge: stg.events#ts -> mart.events FILTER
-- completeness: any

{{ config(materialized='incremental', unique_key='id') }}
select id, ts, kind
from {{ source('stg', 'events') }}
where ts > '2024-01-01'
