"""Standard SQL, and dialects that only the parser tells apart from it."""

from __future__ import annotations

from typing import Final

from ingest.sql.dialects.rules import Identity, Rules

STANDARD: Final = Rules(
    identity=Identity("", aliases=("ansi", "db2"), also_read_as=("duckdb", "databricks")),
    exchange_moves_one_way=True,
)
EXASOL: Final = Rules(identity=Identity("exasol"), has_dual=True)

DIALECTS: Final = (
    STANDARD,
    EXASOL,
    *(
        Rules(identity=Identity(name))
        for name in ("dax", "dremio", "drill", "druid", "dune", "prql", "solr", "tableau")
    ),
)
