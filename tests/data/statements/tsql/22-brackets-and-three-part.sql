-- columns: crm.dbo.account(id, ownerid, rating)
-- columns: crm.dbo.owner(id, fullname)
-- columns: dw.rpt.account(id, owner, band)
-- edge: crm.dbo.account#id -> dw.rpt.account#id IDENTITY
-- edge: crm.dbo.owner#fullname -> dw.rpt.account#owner IDENTITY
-- edge: crm.dbo.account#rating -> dw.rpt.account#band CONDITIONAL
-- edge: crm.dbo.account#ownerid -> dw.rpt.account JOIN
-- edge: crm.dbo.owner#id -> dw.rpt.account JOIN
-- completeness: complete

INSERT INTO [dw].[rpt].[account] ([id], [owner], [band])
SELECT a.[id],
       u.[fullname],
       CASE a.[rating] WHEN 1 THEN 'hot' WHEN 2 THEN 'warm' ELSE 'cold' END
FROM [crm].[dbo].[account] AS a
LEFT OUTER JOIN [crm].[dbo].[owner] AS u ON u.[id] = a.[ownerid]
GO
