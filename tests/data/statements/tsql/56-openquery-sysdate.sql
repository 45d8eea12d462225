-- completeness: complete
-- edge: external:ORALINK.scott.emp#hired -> dw.ora FILTER
-- edge: external:ORALINK.scott.emp#id -> dw.ora#id IDENTITY

INSERT INTO dw.ora (id, d) SELECT id, d FROM OPENQUERY(ORALINK, 'SELECT id, sysdate AS d FROM scott.emp WHERE hired < sysdate')
