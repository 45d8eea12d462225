-- completeness: any

INSERT INTO IDENTIFIER(:tgt) SELECT a FROM IDENTIFIER(:src || '.s')
