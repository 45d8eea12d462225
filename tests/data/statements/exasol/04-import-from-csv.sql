-- edge: file:a.csv -> D.A TRANSFORMATION
-- completeness: any

IMPORT INTO d.a FROM CSV AT 'https://x' FILE 'a.csv' COLUMN SEPARATOR = ';'
