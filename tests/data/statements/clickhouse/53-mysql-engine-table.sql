-- completeness: any

CREATE TABLE d.my (a Int32) ENGINE = MySQL('h:3306', 'db', 't', 'u', 'p')
