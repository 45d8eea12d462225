"""Forms changed after the parser rejected a statement, because sqlglot does not know them."""
