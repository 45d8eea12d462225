-- columns: ods.events(user_id, event_name, ts, country, props)
-- columns: dwd.events(user_id, event_name, event_time, country, hr)
-- edge: ods.events#user_id -> dwd.events#user_id IDENTITY
-- edge: ods.events#country -> dwd.events#country IDENTITY
-- edge: ods.events#event_name -> dwd.events#event_name TRANSFORMATION
-- edge: ods.events#ts -> dwd.events#event_time TRANSFORMATION
-- edge: ods.events#ts -> dwd.events#hr TRANSFORMATION
-- edge: ods.events#user_id -> dwd.events FILTER
-- completeness: complete

SET hive.exec.dynamic.partition.mode=nonstrict;
INSERT OVERWRITE TABLE dwd.events PARTITION (country, hr)
SELECT user_id,
       lower(event_name),
       from_unixtime(ts),
       country,
       from_unixtime(ts, 'HH') AS hour_of_day
FROM ods.events
WHERE user_id IS NOT NULL;
