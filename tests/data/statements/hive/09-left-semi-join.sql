-- columns: ods.visits(vid, uid, url)
-- columns: ods.members(uid, active)
-- columns: dws.member_visits(vid, url)
-- edge: ods.visits#vid -> dws.member_visits#vid IDENTITY
-- edge: ods.visits#url -> dws.member_visits#url IDENTITY
-- edge: ods.visits#uid -> dws.member_visits JOIN
-- edge: ods.members#uid -> dws.member_visits JOIN
-- edge: ods.members#active -> dws.member_visits JOIN
-- edge: ods.members#active -> dws.member_visits FILTER
-- completeness: complete
-- note: the subquery's own condition decides about rows as well; see the FILTER edge

INSERT OVERWRITE TABLE dws.member_visits
SELECT a.vid, a.url
FROM ods.visits a
LEFT SEMI JOIN (SELECT uid, active FROM ods.members WHERE active = 1) m
  ON a.uid = m.uid AND m.active = 1;
