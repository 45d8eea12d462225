"""Variables that a block declares, and what statements set them from."""

from __future__ import annotations

import pytest
from scripted import pairs, ran, reasons, running, tree
from sqlglot import parse_one

from ingest.sql import extract
from ingest.sql.parser.scripts.blocks import Declared, Fetched
from ingest.sql.statements.declared import declare_head, declared_targets, fetch, set_from
from ingest.sql.statements.statements import Statements


def with_cursor(query: str = "SELECT a, b FROM t WHERE c = 1") -> Statements:
    """A script in which the rows of ``k`` are those of a query."""
    run = running("oracle", {"n:d.T": ("A", "B", "C"), "n:d.U": ("A", "D", "E")})
    ran(run, f"DECLARE CURSOR k IS {query}; BEGIN COMMIT; END;")
    return run


def test_a_declared_name_is_no_column() -> None:
    """It is a variable, in any case of letters, and feeds nothing before it is set."""
    run = running("postgres")
    done = declare_head(run, Declared(("V", "w")))

    assert (done.kind, done.edges) == ("other", [])
    assert ran(run, "INSERT INTO u (d, e) VALUES (v, W)").edges == []
    assert reasons(run) == []


def test_a_name_that_nothing_declares_is_a_reason() -> None:
    """The same statement without the declaration."""
    run = running("postgres")
    ran(run, "INSERT INTO u (d) VALUES (v)")

    assert reasons(run) == [("unknown-column", "v")]


def test_a_column_goes_before_a_variable_of_its_name() -> None:
    """A source that is known to have it is what is read."""
    run = running("postgres")
    declare_head(run, Declared(("a", "z")))

    assert pairs(ran(run, "INSERT INTO u (d, e) SELECT a, z FROM t").edges) == {"u#d": "t#a"}


def test_a_cursors_columns_go_to_variables_by_position() -> None:
    """What decides about its rows decides about those that are written from them."""
    run = with_cursor()
    fetch(run, Fetched(("x", "y"), cursor="K"))

    done = ran(run, "INSERT INTO u (d, e) VALUES (y, x)")
    assert pairs(done.edges) == {"U": "T#C", "U#D": "T#B", "U#E": "T#A"}
    assert (run.walk.rows_named("x"), reasons(run)) == (None, [])


def test_one_variable_for_the_row_has_its_columns() -> None:
    """``FETCH k INTO r``: ``r.b`` is the cursor's column."""
    run = with_cursor()
    fetch(run, Fetched(("r",), cursor="k"))

    assert pairs(ran(run, "INSERT INTO u (d) VALUES (r.b)").edges) == {"U": "T#C", "U#D": "T#B"}


def test_one_variable_for_one_column_is_its_value() -> None:
    """And no row of one column."""
    run = with_cursor("SELECT b FROM t")
    fetch(run, Fetched(("v",), cursor="k"))

    assert pairs(ran(run, "INSERT INTO u (d) VALUES (v)").edges) == {"U#D": "T#B"}
    assert run.walk.rows_named("v") is None


def test_more_variables_than_columns_hold_nothing() -> None:
    """Which column would go where is not known."""
    run = with_cursor("SELECT b FROM t")
    fetch(run, Fetched(("x", "y"), cursor="k"))

    assert "U#D" not in pairs(ran(run, "INSERT INTO u (d, e) VALUES (x, y)").edges)


def test_a_cursor_that_nothing_declared_is_a_reason() -> None:
    """It may be a package's, or a parameter."""
    run = running("oracle")
    fetch(run, Fetched(("x",), cursor="c"))

    assert reasons(run) == [("unknown-source", "c")]


def test_a_later_fetch_takes_the_place_of_an_earlier_one() -> None:
    """A variable holds what it was set from last."""
    run = running("postgres")
    fetch(run, Fetched(("v",), query=tree(run, "SELECT a FROM t")))
    fetch(run, Fetched(("v",), query=tree(run, "SELECT d FROM u")))

    assert pairs(ran(run, "INSERT INTO k (x) VALUES (v)").edges) == {"k#x": "u#d"}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT a INTO v FROM t", ("v",)),
        ("SELECT a, b BULK COLLECT INTO V, w FROM t", ("V", "w")),
        ("SELECT a INTO nobody FROM t", None),
        ("SELECT a INTO d.v FROM t", None),
        ("SELECT a, b BULK COLLECT INTO v, nobody FROM t", None),
    ],
)
def test_into_sets_variables_where_all_its_names_are_declared(sql: str, expected: tuple[str, ...] | None) -> None:
    """Any other name, and one with a schema, is a table's."""
    run = running("oracle")
    declare_head(run, Declared(("v", "w")))

    assert declared_targets(run, parse_one(sql, dialect="oracle").args["into"]) == expected


def test_a_query_with_an_into_writes_no_table() -> None:
    """Its columns go to the variables; the statement itself stays as it was read."""
    run = running("postgres")
    declare_head(run, Declared(("v",)))
    node = tree(run, "SELECT max(a) INTO v FROM t WHERE b = 1")
    done = set_from(run, ("v",), node)

    assert (done.edges, done.writes) == ([], set())
    assert node.args["into"] is not None
    assert pairs(ran(run, "UPDATE u SET d = v").edges) == {"u": "t#b", "u#d": "t#a"}


def test_a_row_of_a_cursor_that_nothing_declares_has_no_source_and_a_reason():
    """A row fetched from a cursor of a package, or a parameter, had no source, and the answer was complete."""
    sql = "BEGIN FETCH c INTO r; INSERT INTO t (a) VALUES (r.a); END;"

    found = extract(sql, dialect="oracle", namespace="n")

    assert ("unknown-source", "c") in [(problem.code, problem.subject) for problem in found.problems]
