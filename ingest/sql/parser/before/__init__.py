"""Forms changed before the parser sees them, because sqlglot reads them wrongly or slowly."""
