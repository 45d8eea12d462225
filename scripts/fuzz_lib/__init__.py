"""What scripts/fuzz-sql is made of: the texts, and the verdict on an answer."""
