-- columns: stg.mail(addr, name)
-- columns: ops.unsubscribed(addr, since)
-- columns: mkt.sendlist(addr, name)
-- edge: stg.mail#addr -> mkt.sendlist#addr IDENTITY
-- edge: stg.mail#name -> mkt.sendlist#name IDENTITY
-- edge: stg.mail#addr -> mkt.sendlist FILTER
-- edge: ops.unsubscribed#addr -> mkt.sendlist FILTER
-- edge: ops.unsubscribed#since -> mkt.sendlist FILTER
-- completeness: complete

INSERT OVERWRITE TABLE mkt.sendlist
SELECT addr, name FROM stg.mail
WHERE addr NOT IN (SELECT u.addr FROM ops.unsubscribed u WHERE u.since IS NOT NULL);
