-- columns: stg.loan(loan_id, branch_cd, principal, rate, as_of)
-- columns: ref.branch(branch_cd, region)
-- columns: dw.loan(loan_id, region, yearly_interest, as_of)
-- edge: stg.loan#loan_id -> dw.loan#loan_id IDENTITY
-- edge: ref.branch#region -> dw.loan#region TRANSFORMATION
-- edge: stg.loan#principal -> dw.loan#yearly_interest TRANSFORMATION
-- edge: stg.loan#rate -> dw.loan#yearly_interest TRANSFORMATION
-- edge: stg.loan#as_of -> dw.loan#as_of IDENTITY
-- edge: dw.loan#as_of -> dw.loan FILTER
-- edge: stg.loan#as_of -> dw.loan FILTER
-- edge: ref.branch#branch_cd -> dw.loan JOIN
-- edge: stg.loan#branch_cd -> dw.loan JOIN
-- completeness: complete

DELETE FROM dw.loan WHERE as_of = CURRENT_DATE;

INSERT INTO dw.loan (loan_id, region, yearly_interest, as_of)
SELECT l.loan_id,
       UPPER(b.region),
       ZEROIFNULL(l.principal) * l.rate / 100,
       l.as_of
FROM stg.loan l
INNER JOIN ref.branch b ON b.branch_cd = l.branch_cd
WHERE l.as_of = CURRENT_DATE;

COLLECT STATISTICS COLUMN (loan_id) ON dw.loan;
