-- completeness: any

CREATE DICTIONARY dim.u (id UInt64, n String) PRIMARY KEY id
SOURCE(MYSQL(DB 'crm' TABLE 'users' USER 'u')) LIFETIME(300) LAYOUT(HASHED())
