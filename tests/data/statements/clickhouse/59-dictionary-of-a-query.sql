-- completeness: complete
-- edge: raw.e -> dim.u#n AGGREGATION
-- edge: raw.e#ok -> dim.u FILTER
-- edge: raw.e#uid -> dim.u GROUP_BY
-- edge: raw.e#uid -> dim.u#id IDENTITY

CREATE DICTIONARY dim.u (id UInt64, n UInt64) PRIMARY KEY id
SOURCE(CLICKHOUSE(QUERY 'SELECT uid, count() FROM raw.e WHERE ok = 1 GROUP BY uid')) LIFETIME(300) LAYOUT(HASHED())
