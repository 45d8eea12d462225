-- edge: ods.device#* -> bak.device#* IDENTITY
-- edge: ods.device#dt -> bak.device FILTER
-- completeness: any

INSERT INTO bak.device SELECT * FROM ods.device WHERE dt = '20240501';
