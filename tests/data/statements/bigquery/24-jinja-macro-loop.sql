-- target: ns:acme.mart.pay
-- edge: acme.shop.pay#order_id -> acme.mart.pay#order_id IDENTITY
-- edge: acme.shop.pay#amount -> acme.mart.pay#total AGGREGATION
-- edge: acme.shop.pay#order_id -> acme.mart.pay GROUP_BY
-- edge: acme.shop.pay#status -> acme.mart.pay FILTER
-- completeness: any

{{ config(materialized='table') }}
select order_id, sum(amount) as total
from `acme.shop.pay`
where status in ('paid', '{{ var("extra_status") }}')
group by order_id
