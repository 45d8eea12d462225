-- completeness: complete
-- edge: raw.k#id -> kudu.t GROUP_BY
-- edge: raw.k#id -> kudu.t#id IDENTITY
-- edge: raw.k#v -> kudu.t#v AGGREGATION

UPSERT INTO kudu.t (id, v) SELECT id, max(v) FROM raw.k GROUP BY id
