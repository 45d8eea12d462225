-- completeness: any
-- note: all tables of one database go to another

COPY FROM DATABASE a TO b
