-- completeness: any

create or replace procedure d.p() returns string language javascript as $$ snowflake.execute({sqlText: 'insert into d.t select k from s.e'}); return 'x'; $$;
