-- columns: sales.ord(id, rep_id, total, closed_at, state)
-- columns: hr.rep(id, team_id, full_name, quit_at)
-- columns: hr.target(team_id, month, goal)
-- columns: pay.commission(rep_id, rep_name, month, sold, goal_share, payout)
-- edge: hr.rep#id -> pay.commission#rep_id IDENTITY
-- edge: hr.rep#full_name -> pay.commission#rep_name IDENTITY
-- edge: sales.ord#closed_at -> pay.commission#month TRANSFORMATION
-- edge: sales.ord#total -> pay.commission#sold AGGREGATION
-- edge: sales.ord#total -> pay.commission#goal_share AGGREGATION
-- edge: hr.target#goal -> pay.commission#goal_share AGGREGATION
-- edge: sales.ord#total -> pay.commission#payout AGGREGATION
-- edge: sales.ord#total -> pay.commission#payout CONDITIONAL
-- edge: hr.target#goal -> pay.commission#payout CONDITIONAL
-- edge: sales.ord#state -> pay.commission FILTER
-- edge: sales.ord#closed_at -> pay.commission FILTER
-- edge: hr.rep#quit_at -> pay.commission FILTER
-- edge: sales.ord#rep_id -> pay.commission JOIN
-- edge: hr.rep#id -> pay.commission JOIN
-- edge: hr.rep#team_id -> pay.commission JOIN
-- edge: hr.target#team_id -> pay.commission JOIN
-- edge: hr.target#month -> pay.commission JOIN
-- edge: sales.ord#closed_at -> pay.commission JOIN
-- edge: sales.ord#rep_id -> pay.commission GROUP_BY
-- edge: sales.ord#closed_at -> pay.commission GROUP_BY
-- edge: hr.rep#id -> pay.commission GROUP_BY
-- edge: hr.rep#full_name -> pay.commission GROUP_BY
-- completeness: complete

INSERT INTO pay.commission (rep_id, rep_name, month, sold, goal_share, payout)
WITH won AS (
  SELECT rep_id,
         DATE_FORMAT(closed_at, '%Y-%m-01') AS month,
         SUM(total) AS sold
  FROM sales.ord
  WHERE state = 'won'
    AND closed_at >= '2024-01-01'
  GROUP BY rep_id, DATE_FORMAT(closed_at, '%Y-%m-01')
),
joined AS (
  SELECT r.id, r.full_name, w.month, w.sold, g.goal
  FROM won w
  JOIN hr.rep r ON r.id = w.rep_id
  LEFT JOIN hr.target g ON g.team_id = r.team_id AND g.month = w.month
  WHERE r.quit_at IS NULL
)
SELECT j.id,
       j.full_name,
       j.month,
       SUM(j.sold),
       SUM(j.sold) / MAX(j.goal),
       CASE WHEN SUM(j.sold) > MAX(j.goal) THEN SUM(j.sold) * 0.08
            ELSE SUM(j.sold) * 0.03 END
FROM joined j
GROUP BY j.id, j.full_name, j.month
ON DUPLICATE KEY UPDATE
  sold = VALUES(sold),
  goal_share = VALUES(goal_share),
  payout = VALUES(payout);
