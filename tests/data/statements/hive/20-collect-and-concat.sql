-- columns: dwd.tags(uid, tag, weight)
-- columns: dws.user_tags(uid, tags, max_weight)
-- edge: dwd.tags#uid -> dws.user_tags#uid IDENTITY
-- edge: dwd.tags#tag -> dws.user_tags#tags AGGREGATION
-- edge: dwd.tags#weight -> dws.user_tags#max_weight AGGREGATION
-- edge: dwd.tags#uid -> dws.user_tags GROUP_BY
-- edge: dwd.tags#weight -> dws.user_tags FILTER
-- completeness: complete

INSERT OVERWRITE TABLE dws.user_tags
SELECT uid, concat_ws(',', collect_set(tag)), max(weight)
FROM dwd.tags
GROUP BY uid
HAVING max(weight) > 0.5;
