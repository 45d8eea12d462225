-- columns: dwd.t(tag, uid)
-- columns: ads.t(tag, uv)
-- edge: dwd.t#tag -> ads.t#tag IDENTITY
-- edge: dwd.t#uid -> ads.t#uv AGGREGATION
-- edge: dwd.t#tag -> ads.t GROUP_BY
-- completeness: complete

INSERT INTO ads.t SELECT tag, BITMAP_COUNT(BITMAP_UNION(TO_BITMAP(uid))) FROM dwd.t GROUP BY tag;
