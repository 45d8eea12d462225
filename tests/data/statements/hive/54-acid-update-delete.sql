-- columns: hr.leave_balance(emp_id, year, days_left, carried, updated_at)
-- edge: hr.leave_balance#days_left -> hr.leave_balance#days_left TRANSFORMATION
-- edge: hr.leave_balance#carried -> hr.leave_balance#days_left TRANSFORMATION
-- edge: hr.leave_balance#year -> hr.leave_balance FILTER
-- edge: hr.leave_balance#carried -> hr.leave_balance FILTER
-- edge: hr.leave_balance#emp_id -> hr.leave_balance FILTER
-- edge: hr.leavers#emp_id -> hr.leave_balance FILTER
-- edge: hr.leavers#left_on -> hr.leave_balance FILTER
-- completeness: any
-- note: emp_id may be of the leavers, whose columns nobody declared, or the outer table's

UPDATE hr.leave_balance
SET days_left = days_left + carried, updated_at = current_timestamp
WHERE year = 2025 AND carried > 0;

DELETE FROM hr.leave_balance
WHERE emp_id IN (SELECT emp_id FROM hr.leavers WHERE left_on < '2025-01-01');
