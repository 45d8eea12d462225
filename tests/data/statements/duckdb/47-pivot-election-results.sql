-- columns: vote.result(district, party, votes, round)
-- edge: vote.result#district -> rpt.result_wide#district IDENTITY
-- edge: vote.result#votes -> rpt.result_wide#red AGGREGATION
-- edge: vote.result#party -> rpt.result_wide#red CONDITIONAL
-- edge: vote.result#votes -> rpt.result_wide#blue AGGREGATION
-- edge: vote.result#party -> rpt.result_wide#blue CONDITIONAL
-- edge: vote.result#round -> rpt.result_wide FILTER
-- edge: vote.result#district -> rpt.result_wide GROUP_BY
-- completeness: complete

CREATE OR REPLACE TABLE rpt.result_wide AS
SELECT district, red, blue
FROM (SELECT district, party, votes FROM vote.result WHERE round = 2)
PIVOT (sum(votes) FOR party IN ('red', 'blue'));
