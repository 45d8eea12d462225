-- columns: d.users(id, name)
-- completeness: any
-- note: a dictionary loads its table

CREATE DICTIONARY d.users_dict (id UInt64, name String) PRIMARY KEY id SOURCE(CLICKHOUSE(DB 'd' TABLE 'users')) LAYOUT(HASHED()) LIFETIME(300)
