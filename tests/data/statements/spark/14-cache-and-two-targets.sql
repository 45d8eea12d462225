-- columns: silver.tx(id, acct, amt, kind)
-- columns: gold.debits(acct, total)
-- columns: gold.credits(acct, total)
-- edge: silver.tx#acct -> gold.debits#acct IDENTITY
-- edge: silver.tx#amt -> gold.debits#total AGGREGATION
-- edge: silver.tx#kind -> gold.debits FILTER
-- edge: silver.tx#amt -> gold.debits FILTER
-- edge: silver.tx#acct -> gold.debits GROUP_BY
-- edge: silver.tx#acct -> gold.credits#acct IDENTITY
-- edge: silver.tx#amt -> gold.credits#total AGGREGATION
-- edge: silver.tx#kind -> gold.credits FILTER
-- edge: silver.tx#amt -> gold.credits FILTER
-- edge: silver.tx#acct -> gold.credits GROUP_BY
-- completeness: complete

CACHE TABLE big AS SELECT acct, amt, kind FROM silver.tx WHERE amt > 100;
INSERT OVERWRITE gold.debits SELECT acct, sum(amt) FROM big WHERE kind = 'D' GROUP BY acct;
INSERT OVERWRITE gold.credits SELECT acct, sum(amt) FROM big WHERE kind = 'C' GROUP BY acct;
UNCACHE TABLE big;
