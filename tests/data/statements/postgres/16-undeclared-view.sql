-- edge: crm.lead#id -> rpt.lead#lead_id IDENTITY
-- edge: crm.owner#name -> rpt.lead#owner IDENTITY
-- edge: crm.lead#owner_id -> rpt.lead JOIN
-- edge: crm.owner#id -> rpt.lead JOIN
-- edge: crm.lead#deleted_at -> rpt.lead FILTER
-- completeness: any

CREATE VIEW rpt.lead AS
SELECT l.id AS lead_id, o.name AS owner
FROM crm.lead l JOIN crm.owner o ON o.id = l.owner_id
WHERE l.deleted_at IS NULL;
