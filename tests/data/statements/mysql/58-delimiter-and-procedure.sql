-- columns: gl.journal(id, account_no, amount, booked_on)
-- columns: gl.month_balance(account_no, month, balance)
-- edge: gl.journal#account_no -> gl.month_balance#account_no IDENTITY
-- edge: gl.journal#booked_on -> gl.month_balance#month TRANSFORMATION
-- edge: gl.journal#amount -> gl.month_balance#balance AGGREGATION
-- edge: gl.month_balance#month -> gl.month_balance FILTER
-- edge: gl.journal#booked_on -> gl.month_balance FILTER
-- edge: gl.journal#account_no -> gl.month_balance GROUP_BY
-- edge: gl.journal#booked_on -> gl.month_balance GROUP_BY
-- completeness: any

DELIMITER //
CREATE PROCEDURE gl.close_month(IN p_month DATE)
BEGIN
  DELETE FROM gl.month_balance WHERE month = p_month;
  INSERT INTO gl.month_balance (account_no, month, balance)
  SELECT account_no, LAST_DAY(booked_on), SUM(amount)
  FROM gl.journal
  WHERE LAST_DAY(booked_on) = p_month
  GROUP BY account_no, LAST_DAY(booked_on);
END //
DELIMITER ;
