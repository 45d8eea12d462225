-- edge: raw.reading#sensor -> rpt.latest#sensor IDENTITY
-- edge: raw.reading#at -> rpt.latest#at IDENTITY
-- edge: raw.reading#val -> rpt.latest#val IDENTITY
-- edge: raw.reading#sensor -> rpt.latest GROUP_BY
-- edge: raw.reading#sensor -> rpt.latest SORT
-- edge: raw.reading#at -> rpt.latest SORT
-- completeness: any

CREATE OR REPLACE VIEW rpt.latest AS
SELECT DISTINCT ON (sensor) sensor, at, val
FROM raw.reading
ORDER BY sensor, at DESC;
