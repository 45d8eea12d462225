-- columns: audit.trail(eventname, useridentity, eventtime)
-- edge: audit.trail#eventname -> rpt.trail#event IDENTITY
-- edge: audit.trail#useridentity -> rpt.trail#who TRANSFORMATION
-- edge: audit.trail#eventtime -> rpt.trail#at TRANSFORMATION
-- edge: audit.trail#eventname -> rpt.trail FILTER
-- completeness: complete

CREATE OR REPLACE VIEW rpt.trail AS
SELECT eventname AS event,
       json_extract_scalar(useridentity, '$.arn') AS who,
       from_iso8601_timestamp(eventtime) AS at
FROM audit.trail
WHERE eventname LIKE 'Delete%'
