-- columns: stg.tx(tx_id, acct, amt, booked)
-- columns: dw.tx_2025(tx_id, acct, amt, booked)
-- edge: stg.tx#tx_id -> dw.tx_2025#tx_id IDENTITY
-- edge: stg.tx#acct -> dw.tx_2025#acct IDENTITY
-- edge: stg.tx#amt -> dw.tx_2025#amt IDENTITY
-- edge: stg.tx#booked -> dw.tx_2025#booked IDENTITY
-- edge: stg.tx#booked -> dw.tx_2025 FILTER
-- completeness: complete

DO $$
DECLARE
    n bigint;
BEGIN
    TRUNCATE TABLE dw.tx_2025;
    INSERT INTO dw.tx_2025 (tx_id, acct, amt, booked)
    SELECT tx_id, acct, amt, booked
    FROM stg.tx
    WHERE booked >= DATE '2025-01-01' AND booked < DATE '2026-01-01';
    GET DIAGNOSTICS n = ROW_COUNT;
    RAISE NOTICE 'rows: %', n;
END
$$;
