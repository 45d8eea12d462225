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


@pytest.mark.parametrize(
    ("query", "edges"),
    [
        ("SELECT A, a FROM db.c", {"p": "A", "q": "a"}),
        ("SELECT a, A FROM db.c", {"p": "a", "q": "A"}),
        ("SELECT A AS z, a FROM db.c", {"p": "A", "q": "a"}),
        ("SELECT b AS A, a FROM db.c", {"p": "b", "q": "a"}),
        ("SELECT b AS A, A FROM db.c", {"p": "b", "q": "b"}),
        ("SELECT a, b AS A FROM db.c", {"p": "a", "q": "b"}),
        ("SELECT A, b AS A FROM db.c", {"p": "b", "q": "b"}),
        ("SELECT b AS A, A AS a FROM db.c", {"p": "b", "q": "b"}),
    ],
)
def test_an_item_of_another_case_is_another_name(query: str, edges: dict[str, str]) -> None:
    """Both of a table and of the select list, before and after the item's place."""
    columns = {"n:db.c": ("a", "A", "b"), "n:db.o": ("p", "q")}
    made = extract(f"INSERT INTO db.o {query}", dialect="clickhouse", namespace="n", columns=columns)

    found = {edge.target.partition("#")[2]: edge.source.partition("#")[2] for edge in made.edges}
    assert (found, len(made.edges), made.problems) == (edges, 2, ())


@pytest.mark.parametrize("clause", ["WHERE a > 1", "ORDER BY a LIMIT 1", "PREWHERE a > 1"])
def test_a_clause_names_the_column_of_its_case(clause: str) -> None:
    """Where an item has the name in another case."""
    columns = {"n:db.c": ("a", "A", "b"), "n:db.o": ("p",)}
    text = f"INSERT INTO db.o SELECT b AS A FROM db.c {clause}"
    made = extract(text, dialect="clickhouse", namespace="n", columns=columns)

    assert {edge.source for edge in made.edges if edge.type == "INDIRECT"} == {"n:db.c#a"}
    assert made.problems == ()


def test_a_name_of_another_case_than_the_item_is_not_known() -> None:
    """It is not the item's, as ClickHouse says."""
    made = extract("SELECT b AS z, Z FROM db.c", dialect="clickhouse", namespace="n", columns={"n:db.c": ("b",)})
    assert [(problem.code, problem.subject) for problem in made.problems] == [("unknown-column", "n:db.c")]
