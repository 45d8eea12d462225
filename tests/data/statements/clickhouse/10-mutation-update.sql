-- columns: dw.users(id, email, active)
-- edge: dw.users#email -> dw.users#email TRANSFORMATION
-- edge: dw.users#active -> dw.users FILTER
-- completeness: complete

ALTER TABLE dw.users UPDATE email = lower(email) WHERE active = 1;
