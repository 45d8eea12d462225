-- columns: raw.hit(visitor, ts, url, referrer, status)
-- columns: ref.bot(visitor, reason)
-- columns: mart.session(visitor, session_no, started, entry, hits, seconds, source)
-- edge: raw.hit#visitor -> mart.session#visitor IDENTITY
-- edge: raw.hit#visitor -> mart.session#session_no WINDOW
-- edge: raw.hit#ts -> mart.session#session_no WINDOW
-- edge: raw.hit#visitor -> mart.session#session_no CONDITIONAL
-- edge: raw.hit#ts -> mart.session#session_no CONDITIONAL
-- edge: raw.hit#ts -> mart.session#started AGGREGATION
-- edge: raw.hit#url -> mart.session#entry AGGREGATION
-- edge: raw.hit#ts -> mart.session#entry AGGREGATION
-- edge: raw.hit#url -> mart.session#hits AGGREGATION
-- edge: raw.hit#ts -> mart.session#seconds AGGREGATION
-- edge: raw.hit#referrer -> mart.session#source AGGREGATION
-- edge: raw.hit#ts -> mart.session#source AGGREGATION
-- edge: raw.hit#status -> mart.session FILTER
-- edge: raw.hit#ts -> mart.session FILTER
-- edge: raw.hit#visitor -> mart.session FILTER
-- edge: ref.bot#visitor -> mart.session FILTER
-- edge: ref.bot#reason -> mart.session FILTER
-- edge: raw.hit#visitor -> mart.session GROUP_BY
-- edge: raw.hit#ts -> mart.session GROUP_BY
-- completeness: complete

INSERT INTO mart.session (visitor, session_no, started, entry, hits, seconds, source)
WITH clean AS
(
    SELECT visitor, ts, url, referrer
    FROM raw.hit
    WHERE status < 400
      AND ts >= toDateTime('2024-01-01 00:00:00')
      AND visitor NOT IN (SELECT visitor FROM ref.bot WHERE reason != 'manual')
),
marked AS
(
    SELECT visitor, ts, url, referrer,
           if(dateDiff('second', lagInFrame(ts) OVER (PARTITION BY visitor ORDER BY ts), ts) > 1800, 1, 0) AS is_new
    FROM clean
),
numbered AS
(
    SELECT visitor, ts, url, referrer,
           sum(is_new) OVER (PARTITION BY visitor ORDER BY ts) AS session_no
    FROM marked
)
SELECT visitor,
       session_no,
       min(ts),
       argMin(url, ts),
       count(url),
       dateDiff('second', min(ts), max(ts)),
       argMin(referrer, ts)
FROM numbered
GROUP BY visitor, session_no;
