"""The predicates of rules: on layers and names, degrees and sources, shapes, life cycle. Each yields what it finds."""
