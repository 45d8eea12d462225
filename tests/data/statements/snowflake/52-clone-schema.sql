-- completeness: any

create or replace schema dev clone prod;
