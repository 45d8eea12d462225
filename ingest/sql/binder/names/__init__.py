"""Name resolution: scopes, lookup, stars, variables.

Imports ``binder.relations``.
"""
