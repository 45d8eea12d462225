"""Tightening the policy for texts for history: the log's files are rewritten in one commit, and old copies removed.

Reads and writes the log and its snapshot; uses no parser but the resolver it is given. May import ``log``, ``read``
and the parts of ``write`` below the writer.
"""
