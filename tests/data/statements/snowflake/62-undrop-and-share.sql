-- completeness: any

create database shared_db from share acc.sh;
