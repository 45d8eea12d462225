-- columns: stg.t(id, v)
-- columns: dw.t(id, v)
-- edge: stg.t#id -> dw.t#id IDENTITY
-- edge: stg.t#v -> dw.t#v IDENTITY
-- edge: dw.t#id -> dw.t FILTER
-- edge: stg.t#id -> dw.t FILTER
-- completeness: any

CREATE PROCEDURE dw.load_t AS
BEGIN
    SET NOCOUNT ON;
    BEGIN TRY
        BEGIN TRANSACTION;
        DELETE FROM dw.t WHERE id IN (SELECT id FROM stg.t);
        INSERT INTO dw.t (id, v) SELECT id, v FROM stg.t;
        COMMIT TRANSACTION;
    END TRY
    BEGIN CATCH
        ROLLBACK TRANSACTION;
        THROW;
    END CATCH
END
