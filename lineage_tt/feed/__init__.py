"""The change feed: what each version changed, read off the log's end, split into parts and relayed.

Knows no broker; imports ``log`` and ``model``.
"""
