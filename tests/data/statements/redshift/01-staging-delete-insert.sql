-- columns: stg.sales(id, amt, day)
-- columns: dw.sales(id, amt, day)
-- edge: stg.sales#id -> dw.sales#id IDENTITY
-- edge: stg.sales#amt -> dw.sales#amt IDENTITY
-- edge: stg.sales#day -> dw.sales#day IDENTITY
-- edge: dw.sales#id -> dw.sales FILTER
-- edge: stg.sales#id -> dw.sales FILTER
-- completeness: complete

BEGIN TRANSACTION;
DELETE FROM dw.sales USING stg.sales WHERE dw.sales.id = stg.sales.id;
INSERT INTO dw.sales SELECT id, amt, day FROM stg.sales;
END TRANSACTION;
