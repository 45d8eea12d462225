"""What ClickHouse calls the columns of a join, and how its tables and columns may be named. Seen in version 26.9."""

from __future__ import annotations

import pytest

from ingest.sql import extract

COLUMNS = {"n:db.a": ("id", "x"), "n:db.b": ("id", "y"), "n:db.t": ("id", "v")}
TWO = "FROM db.a JOIN db.b AS q ON a.id = q.id"
THREE = f"{TWO} JOIN db.t ON t.id = q.id"


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (f"SELECT * {TWO}", "id x q.id y"),
        (f"SELECT * {THREE}", "a.id x q.id y t.id v"),
        (f"SELECT q.id, q.y, a.id {TWO}", "q.id y id"),
        (f"SELECT q.* {TWO}", "q.id y"),
        (f"SELECT q.id AS z {TWO}", "z"),
        ("SELECT * FROM db.b AS q JOIN db.b AS r USING (id)", "id y r.y"),
        ("SELECT q.id FROM db.b AS q", "id"),
        (f"SELECT * FROM (SELECT q.id, x {TWO}) AS z", "q.id x"),
    ],
)
def test_a_column_of_a_join_is_called_after_its_table_where_another_has_its_name(query: str, names: str) -> None:
    """So the created table has no name twice."""
    text = f"CREATE TABLE db.n ENGINE = Memory AS {query}"
    made = extract(text, dialect="clickhouse", namespace="n", columns=COLUMNS)

    assert made.problems == ()
    written = {edge.target.partition("#")[2] for edge in made.edges if edge.type == "DIRECT"}
    assert written == set(names.split())


@pytest.mark.parametrize(
    ("query", "source"),
    [
        (f"SELECT z.`q.id`, 1 FROM (SELECT q.id, x {TWO}) AS z", "n:db.b#id"),
        (f"SELECT q.id, 1 FROM (SELECT q.id, x {TWO}) AS z", "n:db.b#id"),
        ("SELECT a.id, 1 FROM db.a AS q", "n:db.a#id"),
        ("SELECT db.a.id, 1 FROM db.a AS q", "n:db.a#id"),
    ],
)
def test_a_dotted_name_may_be_one_column_and_a_table_keeps_its_name(query: str, source: str) -> None:
    """A column that a join called ``q.id``, and a table beside its alias."""
    made = extract(f"INSERT INTO db.t {query}", dialect="clickhouse", namespace="n", columns=COLUMNS)

    assert made.problems == ()
    assert (source, "n:db.t#id") in {(edge.source, edge.target) for edge in made.edges}
