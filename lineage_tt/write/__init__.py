"""From messages to one commit: admission, plan, rebase and the writer.

Answers no questions; imports ``log``, ``model``, ``storage`` and the DuckDB session of ``read``.
"""
