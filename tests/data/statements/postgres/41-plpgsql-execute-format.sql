-- completeness: any

DO $$
DECLARE r record;
BEGIN
  FOR r IN SELECT tablename FROM pg_tables WHERE schemaname = 'x' LOOP
    EXECUTE format('INSERT INTO d.all SELECT * FROM x.%I', r.tablename);
  END LOOP;
END $$;
