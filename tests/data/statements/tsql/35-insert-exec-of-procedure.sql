-- completeness: any
-- note: what the procedure returns is not in the text

INSERT INTO dbo.result (id, v) EXEC dbo.usp_calc @day = '2024-01-01'
