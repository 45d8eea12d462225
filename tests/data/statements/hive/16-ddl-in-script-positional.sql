-- columns: ods.account(acc_no, holder, bal)
-- edge: ods.account#acc_no -> dwd.account#account_no IDENTITY
-- edge: ods.account#holder -> dwd.account#owner IDENTITY
-- edge: ods.account#bal -> dwd.account#balance TRANSFORMATION
-- completeness: complete

CREATE TABLE IF NOT EXISTS dwd.account (
  account_no STRING COMMENT 'number',
  owner      STRING,
  balance    DECIMAL(18,2)
)
PARTITIONED BY (dt STRING)
STORED AS PARQUET;

INSERT OVERWRITE TABLE dwd.account PARTITION (dt='2024-01-01')
SELECT acc_no, holder, cast(bal AS DECIMAL(18,2))
FROM ods.account;
