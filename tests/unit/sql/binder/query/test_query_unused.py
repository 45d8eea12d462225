"""Queries in WITH that nothing reads."""

from __future__ import annotations

import pytest
from scripted import reasons, running, tree

from ingest.sql import extract
from ingest.sql.binder.query.unused import look_up_unused

COLUMNS = {"n:db.a": ("id", "x"), "n:db.b": ("id", "y"), "n:db.t": ("id", "v")}
INSERT = "INSERT INTO db.t SELECT id, y FROM db.b"


@pytest.mark.parametrize(
    ("dialect", "query", "codes"),
    [
        ("postgres", "SELECT id, x FROM db.a WHERE a.x > 1", []),
        ("postgres", "SELECT nope FROM db.a", ["unknown-column"]),
        ("trino", "SELECT id FROM db.a JOIN db.b ON a.id = b.id", ["ambiguous-column"]),
        ("spark", "SELECT id FROM db.a WHERE id IN (SELECT * FROM db.b)", ["column-count"]),
        ("duckdb", "SELECT nope FROM db.a", []),
        ("clickhouse", "SELECT nope FROM db.a", []),
        ("postgres", "SELECT * FROM db.free", []),
        ("postgres", "SELECT free.a FROM db.free ORDER BY free.b", []),
    ],
)
def test_a_query_that_nothing_reads_is_looked_at_as_the_engine_does(dialect: str, query: str, codes: list[str]) -> None:
    """It gives no edge, and what is not known of its tables does not matter."""
    text = (
        f"{INSERT.replace('SELECT', f'WITH c AS ({query}) SELECT')}"
        if dialect == "duckdb"
        else (
            f"WITH c AS ({query}) {INSERT}"
            if dialect in ("postgres", "spark")
            else INSERT.replace("SELECT", f"WITH c AS ({query}) SELECT")
        )
    )
    made = extract(text, dialect=dialect, namespace="n", columns=COLUMNS)

    assert [problem.code for problem in made.problems] == codes
    assert {(edge.source, edge.target) for edge in made.edges} == {
        ("n:db.b#id", "n:db.t#id"), ("n:db.b#y", "n:db.t#v")
    }  # fmt: skip


def test_a_change_that_nothing_reads_is_made_all_the_same() -> None:
    """Postgres removes the rows whether or not they are read."""
    text = f"WITH gone AS (DELETE FROM db.a WHERE x = 1 RETURNING id) {INSERT}"
    made = extract(text, dialect="postgres", namespace="n", columns=COLUMNS)

    assert ("n:db.a#x", "n:db.a") in {(edge.source, edge.target) for edge in made.edges}
    assert made.coverage == "complete"


def test_each_query_is_looked_at_once() -> None:
    """Those inside of one that nothing reads, too."""
    run = running("postgres")
    run.walk.query(tree(run, "WITH p AS (WITH q AS (SELECT nope FROM t) SELECT a FROM t) SELECT a FROM u"), None)
    look_up_unused(run.walk)
    assert reasons(run) == [("unknown-column", "n:d.t")]

    look_up_unused(run.walk)
    assert [entry.relation is not None for entry in run.walk.named] == [True, True]
