-- completeness: any

create database dev clone prod at (offset => -3600);
