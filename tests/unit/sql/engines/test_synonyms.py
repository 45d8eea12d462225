"""Synonyms and aliases of tables: another name in the rest of a script."""

from __future__ import annotations

import pytest

from ingest.sql import extract


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("oracle", "CREATE OR REPLACE PUBLIC SYNONYM s FOR hr.emp", "n:HR.EMP"),
        ("oracle", "CREATE SYNONYM s FOR hr.emp; CREATE SYNONYM q FOR s; DROP SYNONYM q", "n:HR.EMP"),
        ("oracle", "CREATE SYNONYM s FOR hr.emp@rem", "n:HR.EMP@REM"),
        ("oracle", "CREATE SYNONYM s FOR hr.emp; DROP PUBLIC SYNONYM s FORCE", "n:S"),
        ("tsql", "CREATE SYNONYM [s] FOR [hr].[emp]", "n:hr.emp"),
        ("db2", "CREATE ALIAS s FOR TABLE hr.emp", "n:hr.emp"),
    ],
)
def test_a_synonym_is_the_table_that_it_names(dialect, sql, expected):
    """In the rest of the script, read and written."""
    read = extract(f"{sql}; INSERT INTO t (a) SELECT s.a FROM s", dialect=dialect, namespace="n")
    written = extract(f"{sql}; DELETE FROM s", dialect=dialect, namespace="n")

    assert ({edge.source.partition("#")[0] for edge in read.edges}, read.coverage) == ({expected}, "complete")
    assert written.writes == (expected,)
