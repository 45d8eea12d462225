"""What an expression takes its value from.

Imports ``binder.names`` and ``binder.relations``.
"""
