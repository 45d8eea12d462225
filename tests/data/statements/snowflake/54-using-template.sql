-- completeness: any

create table d.t using template (select array_agg(object_construct(*)) from table(infer_schema(location => '@raw.st/x', file_format => 'ff')));
