"""What RETURNING names: columns of the target and of the tables beside it."""

from __future__ import annotations

import pytest
from scripted import running, tree

from ingest.sql import extract
from ingest.sql.statements.returned import changed_table, returned_scope

COLUMNS = {"n:db.a": ("id", "x"), "n:db.b": ("id", "y"), "n:db.t": ("id", "v"), "n:db.z": ("p", "q")}
INSERT = "INSERT INTO db.t (id, v) SELECT id, x FROM db.a"


@pytest.mark.parametrize(
    ("dialect", "text", "unknown"),
    [
        ("postgres", f"{INSERT} RETURNING id, v AS w, *", []),
        ("postgres", f"{INSERT} RETURNING nope", ["nope"]),
        ("postgres", f"{INSERT} RETURNING lower(nope)", ["nope"]),
        ("postgres", f"{INSERT} RETURNING x", ["x"]),
        ("sqlite", f"{INSERT} RETURNING nope", ["nope"]),
        ("postgres", "UPDATE db.t SET v = b.y FROM db.b WHERE b.id = t.id RETURNING v, y", []),
        ("postgres", "UPDATE db.t SET v = 1 RETURNING y", ["y"]),
        ("postgres", "DELETE FROM db.t USING db.b WHERE b.id = t.id RETURNING y, nope", ["nope"]),
        ("postgres", "UPDATE db.t SET v = 1 RETURNING old.v, new.v", []),
        ("postgres", "INSERT INTO db.free (a) VALUES (1) RETURNING nope", []),
        ("tsql", "INSERT INTO db.t (id, v) OUTPUT inserted.id SELECT id, x FROM db.a", []),
        ("oracle", 'UPDATE "db"."t" SET "v" = 1 RETURNING "id" INTO :k', []),
    ],
)
def test_a_name_that_is_returned_and_no_table_has_is_reported(dialect: str, text: str, unknown: list[str]) -> None:
    """The text fails although what it writes is known; names of the engine's own rows are left alone."""
    made = extract(text, dialect=dialect, namespace="n", columns=COLUMNS)
    details = [problem.detail for problem in made.problems if problem.code == "unknown-column"]

    assert [detail.rpartition(" ")[2] for detail in details] == unknown


@pytest.mark.parametrize(
    ("change", "listed", "sources"),
    [
        ("UPDATE db.t SET v = b.y FROM db.b WHERE b.id = t.id", "t.id, b.y", {"db.t#id", "db.b#y"}),
        ("UPDATE db.t SET v = y FROM db.b WHERE b.id = t.id", "v, y", {"db.t#v", "db.b#y"}),
        ("DELETE FROM db.t USING db.b WHERE b.id = t.id", "b.id, v", {"db.b#id", "db.t#v"}),
        ("MERGE INTO db.t USING db.b ON b.id = t.id WHEN MATCHED THEN DELETE", "t.v, b.y", {"db.t#v", "db.b#y"}),
    ],
)
def test_rows_that_a_change_returns_come_from_all_its_tables(change: str, listed: str, sources: set[str]) -> None:
    """A column of the table in FROM or USING was taken for a field of the target."""
    text = f"WITH m (p, q) AS ({change} RETURNING {listed}) INSERT INTO db.z SELECT p, q FROM m"
    made = extract(text, dialect="postgres", namespace="n", columns=COLUMNS)

    assert {e.source[2:] for e in made.edges if e.target.startswith("n:db.z#")} == sources
    assert made.problems == ()


def test_the_target_comes_first_and_then_what_is_beside_it() -> None:
    """In this order a star shows their columns; a directory is no table."""
    run = running("postgres")
    node = tree(run, "UPDATE t SET b = 1 FROM u WHERE u.a = t.a")
    table = changed_table(node)
    assert table is not None

    assert [source.alias for source in returned_scope(run, node, table).sources] == ["t", "u"]
    assert changed_table(tree(running("spark"), "INSERT OVERWRITE DIRECTORY '/d' SELECT 1")) is None


_NAMED = "WITH m AS (SELECT id, x AS y FROM db.a)"


@pytest.mark.parametrize("known", [COLUMNS, {}])
@pytest.mark.parametrize(
    ("text", "sources"),
    [
        (f"{_NAMED}, u AS (DELETE FROM db.t USING m WHERE t.id = m.id RETURNING m.y)", "db.a#x"),
        (f"{_NAMED}, u AS (UPDATE db.t SET v = m.y FROM m WHERE t.id = m.id RETURNING t.id, y)", "db.a#x"),
        (f"{_NAMED}, u AS (DELETE FROM db.t USING m WHERE t.id = m.id RETURNING t.v AS y)", "db.t#v"),
        (f"{_NAMED}, u AS (INSERT INTO db.t (id) SELECT id FROM m RETURNING (SELECT max(y) FROM m) AS y)", "db.a#x"),
        (f"{_NAMED}, u AS (MERGE INTO db.t USING m ON t.id = m.id WHEN MATCHED THEN DELETE RETURNING m.y)", "db.a#x"),
        (f"WITH u AS ({_NAMED} DELETE FROM db.t USING m WHERE t.id = m.id RETURNING y)", "db.a#x"),
        (
            "WITH d AS (DELETE FROM db.b RETURNING id, y), "
            "u AS (UPDATE db.t SET v = d.y FROM d WHERE t.id = d.id RETURNING d.y)",
            "db.b#y",
        ),
    ],
)
def test_a_query_in_with_that_is_returned_is_no_table(
    text: str, sources: str, known: dict[str, tuple[str, ...]]
) -> None:
    """Its name was an edge's source in a complete answer; a name alone was ambiguous between it and the target."""
    made = extract(f"{text} INSERT INTO db.z (p) SELECT y FROM u", dialect="postgres", namespace="n", columns=known)

    assert {e.source[2:] for e in made.edges if e.target == "n:db.z#p"} == {sources}
    assert (made.coverage, made.problems) == ("complete", ())
    assert not {"n:m", "n:d"} & set(made.reads)


def test_the_changed_table_is_no_query_in_with_of_its_name() -> None:
    """``DELETE FROM t`` changes the stored table, and its rows are what RETURNING names."""
    text = (
        "WITH t AS (SELECT id FROM a), u AS (DELETE FROM t WHERE v > 1 RETURNING v) INSERT INTO z (p) SELECT v FROM u"
    )
    made = extract(text, dialect="postgres", namespace="n")

    assert {e.source for e in made.edges if e.target == "n:z#p"} == {"n:t#v"}


@pytest.mark.parametrize("dialect", ["postgres", "redshift", "sqlite", "duckdb", "mysql"])
def test_a_change_is_of_a_table_where_queries_cannot_be_changed(dialect: str) -> None:
    """``DELETE FROM t`` beside a query in WITH of that name was a change of what the query reads, as in T-SQL."""
    made = extract("WITH t AS (SELECT id FROM a) DELETE FROM t WHERE v > 1", dialect=dialect, namespace="n")

    assert (made.writes, {(e.source, e.target) for e in made.edges}) == (("n:t",), {("n:t#v", "n:t")})
