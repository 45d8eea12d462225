-- columns: stg.policy(policyno, holderid, premium, modifiedat)
-- columns: dbo.policy(policyno, holderid, premium, modifiedat, isactive)
-- edge: stg.policy#policyno -> dbo.policy#policyno IDENTITY
-- edge: stg.policy#holderid -> dbo.policy#holderid IDENTITY
-- edge: stg.policy#premium -> dbo.policy#premium IDENTITY
-- edge: stg.policy#modifiedat -> dbo.policy#modifiedat IDENTITY
-- edge: dbo.policy#policyno -> dbo.policy JOIN
-- edge: stg.policy#policyno -> dbo.policy JOIN
-- edge: stg.policy#modifiedat -> dbo.policy FILTER
-- edge: dbo.policy#modifiedat -> dbo.policy FILTER
-- completeness: complete

SET NOCOUNT ON;

MERGE dbo.Policy WITH (HOLDLOCK) AS tgt
USING stg.Policy AS src
    ON tgt.PolicyNo = src.PolicyNo
WHEN MATCHED AND src.ModifiedAt > tgt.ModifiedAt THEN
    UPDATE SET tgt.HolderId = src.HolderId,
               tgt.Premium = src.Premium,
               tgt.ModifiedAt = src.ModifiedAt
WHEN NOT MATCHED BY TARGET THEN
    INSERT (PolicyNo, HolderId, Premium, ModifiedAt, IsActive)
    VALUES (src.PolicyNo, src.HolderId, src.Premium, src.ModifiedAt, 1)
WHEN NOT MATCHED BY SOURCE THEN
    UPDATE SET tgt.IsActive = 0;
