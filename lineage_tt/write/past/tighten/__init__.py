"""Tightening the policy for texts for history: the log's files rewritten in one commit, and old copies removed.

Reads and writes the log and its snapshot; knows no parser but the resolver it is given. May import ``log``, ``read``
and what is in ``write`` below the writer.
"""
