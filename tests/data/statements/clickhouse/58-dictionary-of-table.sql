-- completeness: complete
-- edge: raw.users#id -> dim.users#id IDENTITY
-- edge: raw.users#name -> dim.users#name IDENTITY

CREATE DICTIONARY dim.users (id UInt64, name String) PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 'users' DB 'raw')) LIFETIME(300) LAYOUT(HASHED())
