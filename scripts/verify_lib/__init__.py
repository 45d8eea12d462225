"""What scripts/verify-stream compares the store with: the raw files, replayed without any of the store's code."""
