"""Who may read, write and own what, as of a point: grants are facts of people. Pure over facts: no graph is needed.

How long data is kept, and whether it is still to be used, are rules: ``governance.rules.checks.lifecycle``.
"""
