-- columns: ods.loan(loan_no, branch, principal, rate, term_m, officer, dt)
-- edge: ods.loan#loan_no -> dwd.loan#loan_no IDENTITY
-- edge: ods.loan#branch -> dwd.loan#branch IDENTITY
-- edge: ods.loan#principal -> dwd.loan#principal IDENTITY
-- edge: ods.loan#rate -> dwd.loan#rate IDENTITY
-- edge: ods.loan#term_m -> dwd.loan#term_months IDENTITY
-- edge: ods.loan#dt -> dwd.loan FILTER
-- completeness: complete

CREATE TABLE IF NOT EXISTS dwd.loan (
  loan_no STRING,
  branch STRING,
  principal DECIMAL(18,2)
) PARTITIONED BY (dt STRING) STORED AS ORC;

ALTER TABLE dwd.loan ADD COLUMNS (rate DECIMAL(7,4), term_months INT);

INSERT OVERWRITE TABLE dwd.loan PARTITION (dt = '2025-04-01')
SELECT loan_no, branch, principal, rate, term_m
FROM ods.loan
WHERE dt = '2025-04-01';
