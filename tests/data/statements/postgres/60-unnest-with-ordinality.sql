-- completeness: complete
-- edge: raw.o#amt -> dw.mv#total AGGREGATION
-- edge: raw.o#uid -> dw.mv FILTER
-- edge: raw.u#id -> dw.mv FILTER
-- edge: raw.u#id -> dw.mv#id IDENTITY
-- edge: raw.u#tags -> dw.mv#tag IDENTITY

CREATE MATERIALIZED VIEW dw.mv AS SELECT u.id, o.total, t.tag FROM raw.u u LEFT JOIN LATERAL (SELECT sum(amt) AS total FROM raw.o WHERE o.uid = u.id) o ON true CROSS JOIN LATERAL unnest(u.tags) WITH ORDINALITY AS t(tag, n) WHERE t.n <= 3
