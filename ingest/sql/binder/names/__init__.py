"""What a name stands for: scopes, lookup, stars, variables.

Imports ``binder.relations``.
"""
