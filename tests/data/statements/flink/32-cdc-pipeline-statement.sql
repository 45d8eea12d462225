-- completeness: any

CREATE TABLE IF NOT EXISTS d.t WITH ('connector' = 'hudi') AS DATABASE mysql.`db` INCLUDING ALL TABLES
