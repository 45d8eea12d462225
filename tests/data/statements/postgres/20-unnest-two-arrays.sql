-- edge: raw.w#id -> stg.w#id IDENTITY
-- edge: raw.w#ks -> stg.w#k IDENTITY
-- edge: raw.w#vs -> stg.w#v IDENTITY
-- completeness: any
-- note: an element is copied out of its array

CREATE TABLE stg.w AS
SELECT s.id, u.k, u.v FROM raw.w s, unnest(s.ks, s.vs) AS u(k, v);
