-- target: ns:mart.ev
-- edge: raw.ev#id -> mart.ev#id IDENTITY
-- edge: raw.ev#kind -> mart.ev#kind IDENTITY
-- edge: raw.ev#loaded_at -> mart.ev FILTER
-- edge: mart.ev#loaded_at -> mart.ev FILTER
-- completeness: any
-- note: the filter stands only where the model is built incrementally; both ways are told

{{ config(materialized='incremental') }}
select id, kind
from {{ source('raw', 'ev') }}
{% if is_incremental() %}
where loaded_at > (select max(loaded_at) from {{ this }})
{% endif %}
