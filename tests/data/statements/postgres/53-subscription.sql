-- completeness: any
-- note: rows of another server come in

CREATE SUBSCRIPTION sub CONNECTION 'host=x' PUBLICATION p
