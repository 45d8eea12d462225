-- completeness: complete
-- columns: d.users(id, name)
-- edge: d.users#id -> d.users_dict#id IDENTITY
-- edge: d.users#name -> d.users_dict#name IDENTITY
-- note: a dictionary loads its table

CREATE DICTIONARY d.users_dict (id UInt64, name String) PRIMARY KEY id SOURCE(CLICKHOUSE(DB 'd' TABLE 'users')) LAYOUT(HASHED()) LIFETIME(300)
