-- columns: d.ev_local(ts, uid)
-- edge: d.ev_all#ts -> d.ev_local#ts IDENTITY
-- edge: d.ev_all#uid -> d.ev_local#uid IDENTITY
-- edge: d.ev_local#ts -> d.ev_all#ts IDENTITY
-- edge: d.ev_local#uid -> d.ev_all#uid IDENTITY
-- completeness: any
-- note: a table that is a window on another

CREATE TABLE d.ev_all AS d.ev_local ENGINE = Distributed(cl, d, ev_local, rand())
