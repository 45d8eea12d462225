-- columns: edw.call_rec(call_id, queue_cd, start_ts, answer_ts, end_ts, agent_id)
-- columns: rpt.queue_kpi(queue_cd, call_dt, offered, answered, avg_wait_s)
-- edge: edw.call_rec#queue_cd -> rpt.queue_kpi#queue_cd IDENTITY
-- edge: edw.call_rec#start_ts -> rpt.queue_kpi#call_dt TRANSFORMATION
-- edge: edw.call_rec#call_id -> rpt.queue_kpi#offered AGGREGATION
-- edge: edw.call_rec#answer_ts -> rpt.queue_kpi#answered AGGREGATION
-- edge: edw.call_rec#answer_ts -> rpt.queue_kpi#avg_wait_s AGGREGATION
-- edge: edw.call_rec#start_ts -> rpt.queue_kpi#avg_wait_s AGGREGATION
-- edge: edw.call_rec#start_ts -> rpt.queue_kpi FILTER
-- edge: edw.call_rec#queue_cd -> rpt.queue_kpi FILTER
-- edge: edw.call_rec#queue_cd -> rpt.queue_kpi GROUP_BY
-- edge: edw.call_rec#start_ts -> rpt.queue_kpi GROUP_BY
-- completeness: complete

INSERT INTO rpt.queue_kpi (queue_cd, call_dt, offered, answered, avg_wait_s)
SEL k.queue_cd,
    CAST(k.start_ts AS DATE),
    COUNT(k.call_id),
    COUNT(k.answer_ts),
    AVG(CAST((k.answer_ts - k.start_ts) SECOND(4) AS INTEGER))
FROM edw.call_rec k
WHERE CAST(k.start_ts AS DATE) = CURRENT_DATE - 1
  AND k.queue_cd NOT IN ('TEST', 'VOID')
GROUP BY k.queue_cd, CAST(k.start_ts AS DATE);
