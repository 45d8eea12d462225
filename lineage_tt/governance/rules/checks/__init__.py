"""The predicates of rules: over layers and names, over degrees and sources, over shapes. Each yields what it finds."""
