-- target: ns:MART.ORDERS
-- edge: RAW.ORDERS#ID -> MART.ORDERS#ID IDENTITY
-- edge: RAW.ORDERS#AMOUNT -> MART.ORDERS#AMOUNT IDENTITY
-- edge: RAW.ORDERS#UPDATED_AT -> MART.ORDERS#UPDATED_AT IDENTITY
-- edge: RAW.ORDERS#UPDATED_AT -> MART.ORDERS FILTER
-- completeness: any

{{ config(materialized='incremental', unique_key='id') }}
select id, amount, updated_at
from {{ source('raw', 'orders') }}
where updated_at > '2024-01-01'
