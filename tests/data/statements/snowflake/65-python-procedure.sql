-- completeness: any

create or replace procedure d.p() returns string language python runtime_version = '3.11' packages = ('snowflake-snowpark-python') handler = 'run' as $$
def run(session):
    session.table('s.e').write.save_as_table('d.t')
    return 'ok'
$$;
