-- columns: DW.CUSTOMER(ID, NAME, EMAIL, ACTIVE)
-- columns: STG.CUSTOMER_STREAM(ID, NAME, EMAIL, METADATA$ACTION, METADATA$ISUPDATE)
-- edge: STG.CUSTOMER_STREAM#ID -> DW.CUSTOMER#ID IDENTITY
-- edge: STG.CUSTOMER_STREAM#NAME -> DW.CUSTOMER#NAME IDENTITY
-- edge: STG.CUSTOMER_STREAM#EMAIL -> DW.CUSTOMER#EMAIL IDENTITY
-- edge: DW.CUSTOMER#ID -> DW.CUSTOMER JOIN
-- edge: STG.CUSTOMER_STREAM#ID -> DW.CUSTOMER JOIN
-- edge: STG.CUSTOMER_STREAM#METADATA$ACTION -> DW.CUSTOMER FILTER
-- edge: STG.CUSTOMER_STREAM#METADATA$ISUPDATE -> DW.CUSTOMER FILTER
-- completeness: complete

merge into dw.customer t
using stg.customer_stream s
on t.id = s.id
when matched and s.metadata$action = 'DELETE' and s.metadata$isupdate = false then update set t.active = false
when matched and s.metadata$action = 'INSERT' then update set t.name = s.name, t.email = s.email
when not matched and s.metadata$action = 'INSERT' then insert (id, name, email, active) values (s.id, s.name, s.email, true);
