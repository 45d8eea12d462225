"""A batch of messages as a plan: rows for one commit, against one end of the log.

Imports ``subjects`` and ``catalog``; it reads no file, and whether a plan comes to be is decided by the commit.
"""
