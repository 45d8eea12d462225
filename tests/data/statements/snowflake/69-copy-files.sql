-- completeness: any

copy files into @d.out/ from @d.in/;
