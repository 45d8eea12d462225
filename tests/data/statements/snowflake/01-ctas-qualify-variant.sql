-- edge: RAW.EVENTS#PAYLOAD -> ANALYTICS.EVENTS#EVENT_ID TRANSFORMATION
-- edge: RAW.EVENTS#PAYLOAD -> ANALYTICS.EVENTS#USER_ID TRANSFORMATION
-- edge: RAW.EVENTS#LOADED_AT -> ANALYTICS.EVENTS#LOADED_AT IDENTITY
-- edge: RAW.EVENTS#PAYLOAD -> ANALYTICS.EVENTS FILTER
-- edge: RAW.EVENTS#LOADED_AT -> ANALYTICS.EVENTS FILTER
-- completeness: any

create or replace table analytics.events as
select payload:id::string as event_id,
       payload:user.id::number as user_id,
       loaded_at
from raw.events
where payload:type::string = 'login'
qualify row_number() over (partition by payload:id::string order by loaded_at desc) = 1;
