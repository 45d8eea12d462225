-- columns: silver.payment(pay_id, merchant, amount, fee, status, paid_on)
-- columns: gold.merchant_day(merchant, paid_on, gross, fees)
-- columns: gold.refused(pay_id, merchant, amount)
-- columns: gold.fee_rank(merchant, fees, rnk)
-- edge: silver.payment#merchant -> gold.merchant_day#merchant IDENTITY
-- edge: silver.payment#paid_on -> gold.merchant_day#paid_on IDENTITY
-- edge: silver.payment#amount -> gold.merchant_day#gross AGGREGATION
-- edge: silver.payment#fee -> gold.merchant_day#fees AGGREGATION
-- edge: silver.payment#paid_on -> gold.merchant_day FILTER
-- edge: silver.payment#status -> gold.merchant_day FILTER
-- edge: silver.payment#merchant -> gold.merchant_day GROUP_BY
-- edge: silver.payment#paid_on -> gold.merchant_day GROUP_BY
-- edge: silver.payment#pay_id -> gold.refused#pay_id IDENTITY
-- edge: silver.payment#merchant -> gold.refused#merchant IDENTITY
-- edge: silver.payment#amount -> gold.refused#amount IDENTITY
-- edge: silver.payment#paid_on -> gold.refused FILTER
-- edge: silver.payment#status -> gold.refused FILTER
-- edge: silver.payment#merchant -> gold.fee_rank#merchant IDENTITY
-- edge: silver.payment#fee -> gold.fee_rank#fees AGGREGATION
-- edge: silver.payment#fee -> gold.fee_rank#rnk WINDOW
-- edge: silver.payment#paid_on -> gold.fee_rank FILTER
-- edge: silver.payment#merchant -> gold.fee_rank GROUP_BY
-- completeness: complete

CREATE OR REPLACE TEMP VIEW recent AS
SELECT * FROM silver.payment WHERE paid_on >= date_add(current_date(), -30);

INSERT OVERWRITE gold.merchant_day
SELECT merchant, paid_on, sum(amount), sum(fee)
FROM recent WHERE status = 'OK' GROUP BY merchant, paid_on;

INSERT OVERWRITE gold.refused
SELECT pay_id, merchant, amount FROM recent WHERE status = 'REFUSED';

INSERT OVERWRITE gold.fee_rank
SELECT merchant, fees, rank() OVER (ORDER BY fees DESC)
FROM (SELECT merchant, sum(fee) AS fees FROM recent GROUP BY merchant);
