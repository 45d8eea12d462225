"""A batch of messages as a plan: rows for one commit, against one end of the log.

Imports ``subjects`` and ``catalog``; it reads no files. Only the commit decides whether a plan takes effect.
"""
