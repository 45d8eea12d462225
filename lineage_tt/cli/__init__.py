"""The command line ``lineage-tt``: the store's questions and ``ingest`` under one name.

This package joins ``lineage_tt`` and ``ingest``; nothing else imports both. Whatever is heavy (DuckDB, sqlglot,
pydantic, rich) is imported by the command that needs it, when it runs.
"""

from lineage_tt.cli.app import main

__all__ = ["main"]
