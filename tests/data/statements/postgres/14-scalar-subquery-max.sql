-- columns: raw.t(id, v, loaded)
-- columns: dw.t(id, v, loaded)
-- edge: raw.t#id -> dw.t#id IDENTITY
-- edge: raw.t#v -> dw.t#v IDENTITY
-- edge: raw.t#loaded -> dw.t#loaded IDENTITY
-- edge: raw.t#loaded -> dw.t FILTER
-- edge: dw.t#loaded -> dw.t FILTER
-- completeness: complete

INSERT INTO dw.t (id, v, loaded)
SELECT id, v, loaded FROM raw.t
WHERE loaded > (SELECT coalesce(max(loaded), 'epoch') FROM dw.t);
