"""Who may read, write and own what, as of a point: grants are facts that people state. Pure over facts; needs no graph.

How long data is kept, and whether it may still be used, are rules: ``governance.rules.checks.lifecycle``.
"""
