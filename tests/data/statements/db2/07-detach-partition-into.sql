-- columns: dw.f(id, d)
-- columns: arch.f_2023(id, d)
-- edge: dw.f#id -> arch.f_2023#id IDENTITY
-- edge: dw.f#d -> arch.f_2023#d IDENTITY
-- completeness: complete

ALTER TABLE dw.f DETACH PARTITION p2023 INTO TABLE arch.f_2023
