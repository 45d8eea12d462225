-- columns: dist.hits(uid, url)
-- columns: dw.vip(uid, lvl)
-- columns: mart.vip_hits(uid, url)
-- edge: dist.hits#uid -> mart.vip_hits#uid IDENTITY
-- edge: dist.hits#url -> mart.vip_hits#url IDENTITY
-- edge: dist.hits#uid -> mart.vip_hits FILTER
-- edge: dw.vip#uid -> mart.vip_hits FILTER
-- edge: dw.vip#lvl -> mart.vip_hits FILTER
-- completeness: complete

INSERT INTO mart.vip_hits
SELECT uid, url FROM dist.hits
WHERE uid GLOBAL IN (SELECT uid FROM dw.vip WHERE lvl > 2);
