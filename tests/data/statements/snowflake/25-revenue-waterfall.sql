-- columns: BILLING.SUB(SUB_ID, ACCT_ID, MRR, MONTH, PLAN)
-- columns: CRM.ACCT(ACCT_ID, SEGMENT, OWNER)
-- edge: BILLING.SUB#MONTH -> MART.WATERFALL#MONTH IDENTITY
-- edge: CRM.ACCT#SEGMENT -> MART.WATERFALL#SEGMENT IDENTITY
-- edge: BILLING.SUB#MRR -> MART.WATERFALL#NEW_MRR AGGREGATION
-- edge: BILLING.SUB#MRR -> MART.WATERFALL#NEW_MRR CONDITIONAL
-- edge: BILLING.SUB#ACCT_ID -> MART.WATERFALL#NEW_MRR CONDITIONAL
-- edge: BILLING.SUB#MONTH -> MART.WATERFALL#NEW_MRR CONDITIONAL
-- edge: BILLING.SUB#MRR -> MART.WATERFALL#CHURN_MRR AGGREGATION
-- edge: BILLING.SUB#MRR -> MART.WATERFALL#CHURN_MRR CONDITIONAL
-- edge: BILLING.SUB#ACCT_ID -> MART.WATERFALL#CHURN_MRR WINDOW
-- edge: BILLING.SUB#MONTH -> MART.WATERFALL#CHURN_MRR WINDOW
-- edge: BILLING.SUB#MRR -> MART.WATERFALL#END_MRR AGGREGATION
-- edge: BILLING.SUB#ACCT_ID -> MART.WATERFALL GROUP_BY
-- edge: BILLING.SUB#MONTH -> MART.WATERFALL GROUP_BY
-- edge: CRM.ACCT#SEGMENT -> MART.WATERFALL GROUP_BY
-- edge: BILLING.SUB#ACCT_ID -> MART.WATERFALL JOIN
-- edge: CRM.ACCT#ACCT_ID -> MART.WATERFALL JOIN
-- edge: BILLING.SUB#PLAN -> MART.WATERFALL FILTER
-- completeness: complete
-- note: the window's result is a value of churn_mrr, and only asked by CASE for new_mrr

create or replace table mart.waterfall as
with monthly as (
  select acct_id, month, sum(mrr) as mrr
  from billing.sub
  where plan <> 'trial'
  group by acct_id, month
),
moves as (
  select acct_id, month, mrr,
         lag(mrr, 1, 0) over (partition by acct_id order by month) as prev_mrr
  from monthly
),
typed as (
  select m.month, a.segment, m.mrr,
         case when m.prev_mrr = 0 then m.mrr else 0 end as new_mrr,
         case when m.mrr = 0 then m.prev_mrr else 0 end as churn_mrr
  from moves m
  join crm.acct a on a.acct_id = m.acct_id
)
select month, segment, sum(new_mrr) as new_mrr, sum(churn_mrr) as churn_mrr, sum(mrr) as end_mrr
from typed
group by month, segment;
