-- columns: net.cdr(msisdn, cell_id, started, secs)
-- columns: mart.top_cell(msisdn, cell_id, secs)
-- edge: net.cdr#msisdn -> mart.top_cell#msisdn IDENTITY
-- edge: net.cdr#cell_id -> mart.top_cell#cell_id IDENTITY
-- edge: net.cdr#secs -> mart.top_cell#secs AGGREGATION
-- edge: net.cdr#started -> mart.top_cell FILTER
-- edge: net.cdr#msisdn -> mart.top_cell FILTER
-- edge: net.cdr#secs -> mart.top_cell FILTER
-- edge: net.cdr#msisdn -> mart.top_cell GROUP_BY
-- edge: net.cdr#cell_id -> mart.top_cell GROUP_BY
-- completeness: complete

INSERT INTO mart.top_cell (msisdn, cell_id, secs)
SELECT msisdn, cell_id, SUM(secs) AS total_secs
FROM net.cdr
WHERE started >= CURRENT_DATE - 30
GROUP BY msisdn, cell_id
QUALIFY RANK() OVER (PARTITION BY msisdn ORDER BY total_secs DESC) <= 3;
