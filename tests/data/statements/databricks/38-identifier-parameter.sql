-- edge: ${src}.s#a -> ${tgt}#a IDENTITY
-- completeness: any

INSERT INTO IDENTIFIER(:tgt) SELECT a FROM IDENTIFIER(:src || '.s')
