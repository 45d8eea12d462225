-- columns: DW.SESSION(ID, USER_ID)
-- columns: OPS.GDPR(USER_ID, DONE)
-- edge: DW.SESSION#USER_ID -> DW.SESSION FILTER
-- edge: OPS.GDPR#USER_ID -> DW.SESSION FILTER
-- edge: OPS.GDPR#DONE -> DW.SESSION FILTER
-- completeness: complete

delete from dw.session s using ops.gdpr g where s.user_id = g.user_id and g.done = false;
