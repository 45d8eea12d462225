-- edge: main.silver.tickets#queue -> main.gold.queue_health#queue IDENTITY
-- edge: main.silver.tickets#hours -> main.gold.queue_health#closed_hours AGGREGATION
-- edge: main.silver.tickets#state -> main.gold.queue_health#closed_hours CONDITIONAL
-- edge: main.silver.tickets#opened -> main.gold.queue_health#last_open AGGREGATION
-- edge: main.silver.tickets#state -> main.gold.queue_health#last_open CONDITIONAL
-- edge: main.silver.tickets#queue -> main.gold.queue_health GROUP_BY
-- completeness: any

CREATE TABLE main.gold.queue_health AS
SELECT queue,
       sum(hours) FILTER (WHERE state = 'closed') AS closed_hours,
       max(opened) FILTER (WHERE state = 'open') AS last_open
FROM main.silver.tickets
GROUP BY queue;
