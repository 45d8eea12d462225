"""Forms changed after the parser refused a statement, because sqlglot does not know them.."""
