-- columns: DIM.PLAN(ACCT, PLAN, VALID_FROM, VALID_TO, IS_CURRENT)
-- columns: STG.PLAN(ACCT, PLAN, CHANGED_AT)
-- edge: STG.PLAN#CHANGED_AT -> DIM.PLAN#VALID_TO IDENTITY
-- edge: STG.PLAN#ACCT -> DIM.PLAN#ACCT IDENTITY
-- edge: STG.PLAN#PLAN -> DIM.PLAN#PLAN IDENTITY
-- edge: STG.PLAN#CHANGED_AT -> DIM.PLAN#VALID_FROM IDENTITY
-- edge: DIM.PLAN#ACCT -> DIM.PLAN FILTER
-- edge: STG.PLAN#ACCT -> DIM.PLAN FILTER
-- edge: DIM.PLAN#IS_CURRENT -> DIM.PLAN FILTER
-- edge: DIM.PLAN#PLAN -> DIM.PLAN FILTER
-- edge: STG.PLAN#PLAN -> DIM.PLAN FILTER
-- edge: DIM.PLAN#ACCT -> DIM.PLAN JOIN
-- edge: STG.PLAN#ACCT -> DIM.PLAN JOIN
-- edge: DIM.PLAN#IS_CURRENT -> DIM.PLAN JOIN
-- edge: DIM.PLAN#PLAN -> DIM.PLAN JOIN
-- edge: STG.PLAN#PLAN -> DIM.PLAN JOIN
-- completeness: complete

begin;
update dim.plan d
   set d.valid_to = s.changed_at, d.is_current = false
  from stg.plan s
 where d.acct = s.acct
   and d.is_current = true
   and d.plan <> s.plan;

insert into dim.plan (acct, plan, valid_from, valid_to, is_current)
select s.acct, s.plan, s.changed_at, null, true
from stg.plan s
left join dim.plan d
  on d.acct = s.acct and d.plan = s.plan and d.is_current = true
where d.acct is null;
commit;
