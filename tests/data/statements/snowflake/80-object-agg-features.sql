-- edge: FEAT.RAW_FEATURE#USER_ID -> FEAT.USER_FEATURES#USER_ID IDENTITY
-- edge: FEAT.RAW_FEATURE#NAME -> FEAT.USER_FEATURES#FEATURES AGGREGATION
-- edge: FEAT.RAW_FEATURE#VAL -> FEAT.USER_FEATURES#FEATURES AGGREGATION
-- edge: FEAT.RAW_FEATURE#NAME -> FEAT.USER_FEATURES#TOP_NAMES AGGREGATION
-- edge: FEAT.RAW_FEATURE#VAL -> FEAT.USER_FEATURES#TOP_NAMES SORT
-- edge: FEAT.RAW_FEATURE#DS -> FEAT.USER_FEATURES FILTER
-- edge: FEAT.RAW_FEATURE#USER_ID -> FEAT.USER_FEATURES GROUP_BY
-- completeness: complete

create or replace transient table feat.user_features as
select user_id,
       object_agg(name, val::variant) as features,
       listagg(name, '|') within group (order by val desc) as top_names
from feat.raw_feature
where ds = current_date()
group by user_id;
