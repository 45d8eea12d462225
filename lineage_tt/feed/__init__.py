"""The change feed: what each version changed, read from the end of the log, split into parts and relayed.

Uses no broker; imports ``log`` and ``model``.
"""
