-- columns: dw.tx(acct, amt, at)
-- columns: dw.closing(month, acct, bal)
-- edge: dw.closing#month -> dw.closing FILTER
-- edge: dw.tx#acct -> dw.closing#acct IDENTITY
-- edge: dw.tx#amt -> dw.closing#bal AGGREGATION
-- edge: dw.tx#at -> dw.closing FILTER
-- edge: dw.tx#acct -> dw.closing GROUP_BY
-- completeness: any

CREATE OR REPLACE PROCEDURE dw.rebuild() LANGUAGE plpgsql AS $$
DECLARE
    d date;
BEGIN
    FOR d IN SELECT generate_series('2024-01-01'::date, '2024-12-01'::date, interval '1 month') LOOP
        DELETE FROM dw.closing WHERE month = d;
        INSERT INTO dw.closing (month, acct, bal)
        SELECT d, acct, sum(amt) FROM dw.tx WHERE at < d GROUP BY acct;
    END LOOP;
END $$;
