"""Functions after a dot: what is in front of one is a package or schema, or the value that it is called on."""

from __future__ import annotations

import pytest
from bound import WORLD, Bound
from sqlglot import exp

from ingest.sql import extract
from ingest.sql.binder.names.methods import called_on


def owner(text: str, dialect: str = "duckdb", touched: tuple[str, ...] = (), given: str = "t") -> str:
    """Return the value that a call is made on, as SQL; of a package's function "none"."""
    bound = Bound(given, dialect, {**WORLD, "n:d.k": ("main",)})
    value = called_on(bound.item(text), bound.scope, bound.walk.rules, touched)
    return "none" if value is None else value.sql(dialect)


@pytest.mark.parametrize(
    ("dialect", "text", "value"),
    [
        ("duckdb", "a.upper()", "a"),
        ("duckdb", "t.a.upper()", "t.a"),
        ("duckdb", "main.upper(a)", "none"),
        ("duckdb", "MAIN.upper(a)", "none"),
        ("duckdb", "k.upper()", "k"),
        ("duckdb", "(a || b).upper()", "(a || b)"),
        ("duckdb", "lower(a).upper()", "LOWER(a)"),
        ("spark", "p.upper(a)", "none"),
        ("spark", "a.upper(b)", "none"),
        ("postgres", "s.p.f(a)", "none"),
        ("postgres", "t.a.f(1)", "none"),
        ("tsql", "a.value('x', 'int')", "a"),
        ("tsql", "a.VALUE('x', 'int')", "a"),
        ("tsql", "dbo.f(a)", "none"),
        ("tsql", "t.a.f(1)", "t.a"),
        ("oracle", "t.a.total()", "t.a"),
        ("oracle", "pkg.total(a)", "none"),
        ("oracle", "t.total()", "none"),
    ],
)
def test_what_is_in_front_is_a_value_where_the_dialect_has_such_calls(dialect: str, text: str, value: str) -> None:
    """In DuckDB all but its own schemas, in T-SQL before XML's methods, in others after a source's alias."""
    assert owner(text, dialect) == value


def test_a_schema_of_the_script_is_one_here_too() -> None:
    """Not where a source is known to have a column of that name, and not for the beginning of another word."""
    touched = ("n:Sales.orders", "n:other.x")

    assert owner("sales.f(a)", touched=touched) == "none"
    assert owner("sale.f(a)", touched=touched) == "sale"
    assert owner("n.f(a)", touched=touched) == "n"
    assert owner("a.f(b)", touched=("n:a.t",)) == "a"


def test_a_schema_may_have_its_catalog_in_front() -> None:
    """Not where a source has that alias or is known to have that column: then the next name is a column or a field."""
    touched = ("n:wh.raw.orders", "n:t.raw.x", "n:a.raw.x")

    assert owner("wh.main.f(a)") == "none"
    assert owner("wh.raw.f(a)", touched=touched) == "none"
    assert owner("wh.elsewhere.f(a)", touched=touched) == "wh.elsewhere"
    assert owner("t.raw.f(a)", touched=touched) == "t.raw"
    assert owner("a.raw.f(b)", touched=touched) == "a.raw"
    assert owner("k.main.upper()", given="k") == "k.main"


def test_a_known_column_goes_before_a_schema_of_its_name() -> None:
    """``main.upper()`` over a table with a column ``main`` is called on it."""
    assert owner("main.upper()", given="k") == "main"
    assert owner("main.upper()") == "none"


def test_bare_names_in_a_value_become_columns() -> None:
    """So that they are resolved; the words of other parts of the tree stay what they are."""
    bound = Bound("t", "duckdb")
    alone, inside = bound.item("a.upper()"), bound.item("(a || x).lower()")
    called_on(alone, bound.scope, bound.walk.rules)
    called_on(inside, bound.scope, bound.walk.rules)

    assert alone.this == exp.column("a")
    assert sorted(column.name for column in inside.find_all(exp.Column)) == ["a", "x"]


def test_a_call_on_nothing_is_damaged() -> None:
    """``.f(x)`` has no value in front."""
    bound = Bound()
    damaged = exp.Dot(this=None, expression=exp.Anonymous(this="f"))

    assert called_on(damaged, bound.scope, bound.walk.rules) is None


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("duckdb", "SELECT a.upper() AS z FROM t", {"z": "t#a"}),
        ("duckdb", "SELECT t.a.upper().concat(b) AS z FROM t", {"z": "t#a t#b"}),
        ("duckdb", "SELECT st.k.lower() AS z FROM w", {"z": "w#st.k"}),
        ("duckdb", "SELECT (a || b).lower().trim() AS z FROM t", {"z": "t#a t#b"}),
        ("duckdb", "SELECT list_value(a).list_concat([b]) AS z FROM t", {"z": "t#a t#b"}),
        ("duckdb", "SELECT arr[1].upper() AS z, arr::varchar.len() AS y FROM w", {"z": "w#arr", "y": "w#arr"}),
        ("duckdb", "SELECT main.upper(a) AS z FROM t", {"z": "t#a"}),
        ("duckdb", "SELECT wh.main.f(q) AS z FROM wh.main.elsewhere", {"z": "n:wh.main.elsewhere#q"}),
        ("duckdb", "SELECT q.upper() AS z FROM elsewhere", {"z": "elsewhere#q"}),
        ("tsql", "SELECT a.value('(/a)[1]', 'int') AS z, q.c.query('/b') AS y FROM t AS q", {"z": "t#a", "y": "t#c"}),
        ("tsql", "SELECT n.c AS z FROM t CROSS APPLY t.a.nodes('/c') AS n(c)", {"z": "t#a"}),
        ("tsql", "SELECT dbo.f(a) AS z FROM t", {"z": "t#a"}),
        ("oracle", "SELECT q.x.total() AS z, pkg.f(q.y) AS y FROM w q", {"Z": "W#X", "Y": "W#Y"}),
    ],
)
def test_a_function_called_on_a_value_takes_it_as_its_argument(lineage, dialect, sql, expected):
    """DuckDB's chains, T-SQL's methods of XML and Oracle's of objects; a schema or package in front is not a value."""
    assert expected == lineage(sql, dialect=dialect).names()


def test_the_value_is_shown_as_what_it_stands_for(lineage):
    """In the expression too, not as the bare name that was written."""
    result = lineage("SELECT (a || q.b).lower() AS z, a.upper() AS y FROM t q", dialect="duckdb")
    assert result.expression("z") == "(d.t.a || d.t.b).lower()"
    assert result.expression("y") == "d.t.a.upper()"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('XMLAGG(XMLELEMENT("e", nm))', {"NM"}),
        ("XMLAGG(XMLELEMENT(e, nm) ORDER BY a)", {"NM", "A"}),
        ('XMLELEMENT(NAME "e", XMLATTRIBUTES(a AS "b"), nm)', {"NM", "A"}),
        ('XMLELEMENT("e", XMLFOREST(nm AS c, a))', {"NM", "A"}),
    ],
)
def test_what_xml_is_made_of_are_values_and_no_names(value: str, expected: set[str]) -> None:
    """An element's name was read as a column, and a value with a name of its own was lost."""
    found = extract(f"INSERT INTO o (x) SELECT {value}.getClobVal() FROM t", dialect="oracle", namespace="n")

    assert {edge.source for edge in found.edges} == {f"n:T#{name}" for name in expected}
    assert found.coverage == "complete"
