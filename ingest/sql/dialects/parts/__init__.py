"""Parts of a dialect's rules, one file a part: precedence of names, GROUP BY, statements that write.

May import nothing of ``ingest``.
"""
