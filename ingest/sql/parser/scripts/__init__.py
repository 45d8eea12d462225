"""Scripts split into statements: T-SQL batches, blocks, routines, scheduled statements."""
