-- columns: cc.calls(call_id, agent_id, queue_name, wait_s, talk_s, outcome, call_day)
-- columns: cc.abandoned(call_id, queue_name, wait_s)
-- columns: cc.agent_day(agent_id, call_day, calls, talk_total)
-- columns: cc.queue_day(queue_name, call_day, avg_wait, p90_wait)
-- edge: cc.calls#call_id -> cc.abandoned#call_id IDENTITY
-- edge: cc.calls#queue_name -> cc.abandoned#queue_name IDENTITY
-- edge: cc.calls#wait_s -> cc.abandoned#wait_s IDENTITY
-- edge: cc.calls#call_day -> cc.abandoned FILTER
-- edge: cc.calls#outcome -> cc.abandoned FILTER
-- edge: cc.calls#agent_id -> cc.agent_day#agent_id IDENTITY
-- edge: cc.calls#call_day -> cc.agent_day#call_day IDENTITY
-- edge: cc.calls#call_id -> cc.agent_day#calls AGGREGATION
-- edge: cc.calls#talk_s -> cc.agent_day#talk_total AGGREGATION
-- edge: cc.calls#call_day -> cc.agent_day FILTER
-- edge: cc.calls#outcome -> cc.agent_day FILTER
-- edge: cc.calls#agent_id -> cc.agent_day GROUP_BY
-- edge: cc.calls#call_day -> cc.agent_day GROUP_BY
-- edge: cc.calls#queue_name -> cc.queue_day#queue_name IDENTITY
-- edge: cc.calls#call_day -> cc.queue_day#call_day IDENTITY
-- edge: cc.calls#wait_s -> cc.queue_day#avg_wait AGGREGATION
-- edge: cc.calls#wait_s -> cc.queue_day#p90_wait AGGREGATION
-- edge: cc.calls#call_day -> cc.queue_day FILTER
-- edge: cc.calls#queue_name -> cc.queue_day GROUP_BY
-- edge: cc.calls#call_day -> cc.queue_day GROUP_BY
-- completeness: complete

FROM (
  SELECT call_id, agent_id, queue_name, wait_s, talk_s, outcome, call_day
  FROM cc.calls
  WHERE call_day >= '2025-01-01'
) c
INSERT INTO TABLE cc.abandoned
  SELECT c.call_id, c.queue_name, c.wait_s WHERE c.outcome = 'ABANDONED'
INSERT OVERWRITE TABLE cc.agent_day
  SELECT c.agent_id, c.call_day, count(c.call_id), sum(c.talk_s)
  WHERE c.outcome = 'ANSWERED'
  GROUP BY c.agent_id, c.call_day
INSERT OVERWRITE TABLE cc.queue_day
  SELECT c.queue_name, c.call_day, avg(c.wait_s), percentile_approx(c.wait_s, 0.9)
  GROUP BY c.queue_name, c.call_day;
