-- completeness: complete
-- edge: silver.orders#amount -> gold.chg#amount IDENTITY
-- edge: silver.orders#id -> gold.chg#id IDENTITY

INSERT INTO gold.chg SELECT id, amount, _change_type, _commit_version FROM table_changes('silver.orders', 2, 5)
