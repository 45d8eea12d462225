-- completeness: any
-- note: the space that lacks makes it a command that nobody reads; it may not be complete

ALTER TABLE d.a MOVE PARTITION 202401TO TABLE d.b
