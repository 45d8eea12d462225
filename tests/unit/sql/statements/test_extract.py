"""SQL text in, edges out."""

from __future__ import annotations

import gc
import pickle
from pathlib import Path

import pytest

from ingest.sql.dialects.function_registry import load
from ingest.sql.statements.extract import extract
from lineage_tt.model.edges import DIRECT, Edge


def test_names_get_the_namespace_and_the_database() -> None:
    """And the target is written by the bare SELECT."""
    found = extract("SELECT a FROM t", dialect="hive", namespace="n", default_database="d", target="m:x")

    assert found.edges == (Edge("n:d.t#a", "m:x#a", DIRECT, "IDENTITY", ""),)
    assert (found.reads, found.writes) == (("n:d.t",), ("m:x",))


def test_columns_that_are_given_are_what_a_star_brings() -> None:
    """Each is looked up once, and named in the answer."""
    found = extract(
        "INSERT INTO o SELECT * FROM t", dialect="hive", namespace="n", columns={"n:t": ("b", "a"), "n:z": ("q",)}
    )

    assert {(edge.source, edge.target) for edge in found.edges} == {("n:t#a", "n:o#a"), ("n:t#b", "n:o#b")}
    assert dict(found.lookups) == {"n:t": ("b", "a"), "n:o": None}


def test_registered_functions_are_known(tmp_path: Path) -> None:
    """What ``functions.toml`` says of one: which of its arguments are the value."""
    path = tmp_path / "functions.toml"
    path.write_text('[[function]]\nname = "pick"\nvalues = [2]\n', encoding="utf-8")
    sql = "INSERT INTO o (x) SELECT pick(a, b) FROM t"
    known = extract(sql, dialect="postgres", namespace="n", functions=load(path))
    unknown = extract(sql, dialect="postgres", namespace="n")

    assert [edge.source for edge in known.edges] == ["n:t#b"]
    assert [edge.source for edge in unknown.edges] == ["n:t#a", "n:t#b"]


@pytest.mark.parametrize("sql", ["SELECT a FROM t", "SELECT ((", "\0"])
@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(sql: str, enabled: bool) -> None:
    """It rests while a text is read."""
    was = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        extract(sql, dialect="hive", namespace="n")
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was else gc.disable)()


def test_lookups_are_everything_that_was_asked(lineage):
    """With the lookups alone as the known columns, the same text gives the same extraction."""
    sql = "INSERT INTO p SELECT t.a, t.b, k.x, 1 FROM t JOIN k ON t.a = k.a"
    first = lineage(sql).found
    known = {dataset: columns for dataset, columns in first.lookups if columns is not None}

    assert ("n:d.k", None) in first.lookups
    assert first == lineage(sql, columns=known).found


def test_an_unknown_dialect_is_a_problem():
    """A dialect that the parser does not have makes the answer opaque, not an error."""
    found = extract("SELECT 1", dialect="klingon", namespace="n")

    assert (found.coverage, found.problems[0].code) == ("opaque", "unsupported-dialect")


def test_an_extraction_crosses_process_borders(lineage):
    """An extraction survives pickling as it is."""
    found = lineage("SELECT a + 1 AS z FROM t WHERE b = 1; SELECT x FROM nowhere").found

    assert found == pickle.loads(pickle.dumps(found))


@pytest.mark.parametrize("lacking", [False, True])
def test_a_text_that_lacks_parts_may_lack_a_clause(lacking: bool) -> None:
    """It is then not reported that the engine needs the clause."""
    found = extract("DELETE FROM t", dialect="bigquery", namespace="n", lacks_parts=lacking)

    assert (found.writes, bool(found.problems)) == (("n:t",), not lacking)
