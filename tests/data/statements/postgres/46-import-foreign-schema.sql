-- completeness: any

IMPORT FOREIGN SCHEMA public FROM SERVER s INTO d
