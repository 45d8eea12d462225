-- columns: crm.contact(id, name)
-- columns: crm.visit(contact_id, at, note)
-- columns: rpt.last_visit(id, name, note)
-- edge: crm.contact#id -> rpt.last_visit#id IDENTITY
-- edge: crm.contact#name -> rpt.last_visit#name IDENTITY
-- edge: crm.visit#note -> rpt.last_visit#note IDENTITY
-- edge: crm.visit#contact_id -> rpt.last_visit FILTER
-- edge: crm.contact#id -> rpt.last_visit FILTER
-- edge: crm.visit#at -> rpt.last_visit SORT
-- completeness: complete

INSERT INTO rpt.last_visit
SELECT c.id, c.name, lv.note
FROM crm.contact c
LEFT JOIN LATERAL (
  SELECT note FROM crm.visit v WHERE v.contact_id = c.id ORDER BY v.at DESC LIMIT 1
) lv;
