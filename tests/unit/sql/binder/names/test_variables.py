"""Names that are not columns' own: of lambdas, comprehensions, places, collections, and functions without brackets."""

from __future__ import annotations

import pytest
from bound import Bound, ways
from sqlglot import exp

from ingest.sql import extract
from ingest.sql.binder.names import variables
from ingest.sql.binder.names.variables import fields_of_file
from ingest.sql.binder.relations.flow import IDENTITY, Column, Flow, Part
from ingest.sql.binder.relations.relations import Relation, base_column

CHANGED = "TRANSFORMATION"


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("spark", "transform(arr, x -> x + y)", {"w#arr": CHANGED, "w#y": CHANGED}),
        ("spark", "transform(arr, (X, i) -> x + i)", {"w#arr": CHANGED}),
        ("spark", "aggregate(arr, 0, (m, x) -> m + x.f)", {"w#arr": CHANGED}),
        ("spark", "transform(arr, x -> transform(st, y -> x + y))", {"w#arr": CHANGED, "w#st": CHANGED}),
        ("spark", "transform(arr, y -> (SELECT max(a + y) FROM t))", {"w#arr": CHANGED, "t#a": "AGGREGATION"}),
        ("spark", "transform(arr, y -> 'k')", {"w#arr": CHANGED}),
        ("postgres", "f(st -> 'k')", {"w#st": CHANGED}),
        ("postgres", "f(st -> y)", {"w#st": CHANGED, "w#y": CHANGED}),
        ("duckdb", "f(st -> 'k')", {"w#st": CHANGED}),
        ("duckdb", "f(st -> 'k' || y)", {"w#st": CHANGED, "w#y": CHANGED}),
        ("duckdb", "f(arr, (st, y) -> 'k')", {"w#arr": CHANGED}),
        ("duckdb", "f(arr, q -> 'k')", {"w#arr": CHANGED}),
        ("duckdb", "list_transform(arr, q -> q + y)", {"w#arr": CHANGED, "w#y": CHANGED}),
        ("duckdb", "list_transform(arr, x -> 1)", {"w#arr": CHANGED, "w#x": CHANGED}),
        ("duckdb", "list_transform(arr, x -> y)", {"w#arr": CHANGED, "w#y": CHANGED}),
    ],
)
def test_an_arrow_makes_a_lambda_or_takes_a_field(dialect: str, text: str, expected: dict[str, str]) -> None:
    """A parameter hides a column of its name; where the dialect has both, a constant after a column is a field."""
    bound = Bound("w", dialect)

    assert bound.ways(text) == expected
    assert bound.problems() == []


def test_what_a_query_in_a_lambda_decides_the_statement_is_decided_by() -> None:
    """Its filter is among those of the rows around."""
    bound = Bound("w")
    bound.ways("transform(arr, x -> (SELECT max(a) FROM t WHERE b = x))")

    assert bound.decisions() == {"t#b": "FILTER"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[x + y FOR x IN arr]", {"w#arr": CHANGED, "w#y": CHANGED}),
        ("[x FOR x IN arr IF x > y]", {"w#arr": CHANGED, "w#y": "CONDITIONAL"}),
        ("[y FOR y, x IN arr IF x > 1]", {"w#arr": CHANGED}),
        ("[x FOR k IN arr]", {"w#arr": CHANGED, "w#x": CHANGED}),
    ],
)
def test_a_comprehension_hides_columns_by_its_own_names(text: str, expected: dict[str, str]) -> None:
    """The list is read around; what only chooses its elements decides."""
    assert Bound("w", "duckdb").ways(text) == expected


@pytest.mark.parametrize(
    ("given", "text", "expected", "problems"),
    [
        ("t", "$2", {"T#B": "IDENTITY"}, []),
        ("t", "$1 || $3", {"T#A": CHANGED, "T#C": CHANGED}, []),
        ("t AS q, u", "q.$3", {"T#C": "IDENTITY"}, []),
        ("t, u", "$1", {}, [("unknown-column", "$1")]),
        ("t", "$4", {}, [("unknown-column", "$4")]),
        ("t", "$0", {}, [("unknown-column", "$0")]),
        ("far", "$7", {"FAR#*": "IDENTITY"}, []),
        ("t", "$2.x", {"T#B.x": CHANGED}, []),
        ("t AS q", "q.$2.x", {"T#B.x": CHANGED}, []),
        ("t AS q", "q.$2.x.y", {"T#B.x.y": CHANGED}, []),
        ("t AS q", "q.$9.x", {}, [("unknown-column", "$9")]),
        ("far", "$1.x", {"FAR#*": CHANGED}, []),
        ("far", "$1[0].x", {"FAR#*": CHANGED}, []),
        ("far AS q", "q.$1.x", {"FAR#*": CHANGED}, []),
        ("(SELECT a, far.* FROM t, far)", "$1", {"T#A": "IDENTITY"}, []),
        ("(SELECT a, far.* FROM t, far)", "$3", {"FAR#*": "IDENTITY"}, []),
        ("", "$1", {}, []),
    ],
)
def test_a_place_is_a_column_of_the_one_source(
    given: str, text: str, expected: dict[str, str], problems: list[tuple[str, str]]
) -> None:
    """Snowflake's: counted from one; after a star it is one of the unknown columns, beyond the last it is reported."""
    bound = Bound(given, "snowflake", {"n:d.T": ("A", "B", "C"), "n:d.U": ("A", "D")})

    assert bound.ways(text) == expected
    assert bound.problems() == problems


@pytest.mark.parametrize("item", ["$1", "$1.x", "$1:x", "$1[0].x", "q.$1", "q.$1.x", "q.$1.x.y"])
def test_what_is_read_by_place_of_an_unknown_table_is_not_known(lineage, item):
    """A field of such a column was one of a column that is called ``*`` or ``1``, in a complete answer."""
    told = lineage(f"INSERT INTO o (e) SELECT {item} FROM far AS q", "snowflake", target=None)

    assert told.names("d.O") == {"E": "FAR#*"}
    assert told.codes() == {"unknown-columns"}


def test_a_field_of_a_files_column_is_read_by_place(lineage):
    """It was one of a column called ``1``."""
    told = lineage("COPY INTO o (e, f) FROM (SELECT q.$1.x, q.$2 FROM @stage q)", "snowflake", target=None)

    assert told.names("d.O") == {"E": "file:@stage#$1.x", "F": "file:@stage#$2"}
    assert told.found.coverage == "complete"


def test_all_columns_before_a_place_count() -> None:
    """They say which one it is."""
    bound = Bound("t", "snowflake", {"n:d.T": ("A", "B")})
    bound.ways("$2")

    assert bound.walk.catalog.starred == {"n:d.T"}


def test_a_place_in_other_dialects_is_a_parameter() -> None:
    """It comes from outside of the text."""
    bound = Bound("t", "postgres")

    assert (bound.ways("$2 || a"), bound.problems()) == ({"t#a": CHANGED}, [])


def test_a_variable_of_a_batch_is_what_it_holds() -> None:
    """T-SQL's; one that nothing set comes from nowhere, and what decided about its value decides about the rows."""
    bound = Bound("t", "tsql")
    chosen = bound.sight("u")
    chosen.effects.predicates["n:d.u#e"] = IDENTITY << 6
    bound.walk.hold("v", base_column("n:d.u", "d"), chosen.effects)

    assert bound.ways("@V") == {"u#d": "IDENTITY"}
    assert bound.ways("@v + a") == {"u#d": CHANGED, "t#a": CHANGED}
    assert bound.ways("@other") == {}
    assert bound.decisions() == {"u#e": "FILTER"}


@pytest.mark.parametrize(
    ("dialect", "given", "expected"),
    [
        ("spark", "k", {"k#current_date": "IDENTITY"}),
        ("spark", "t", {}),
        ("spark", "far", {}),
        ("trino", "k", {}),
    ],
)
def test_a_function_without_brackets_is_a_column_where_one_is_known(
    dialect: str, given: str, expected: dict[str, str]
) -> None:
    """In Spark alone; a table that may have one is not guessed at."""
    columns = {"n:d.k": ("current_date",), "n:d.t": ("a",)}

    assert Bound(given, dialect, columns).ways("current_date") == expected


def test_an_argument_makes_it_a_function() -> None:
    """``current_timestamp(3)`` is called, whatever the columns; so are the argument's own sources."""
    bound = Bound("k", "spark", {"n:d.k": ("current_timestamp", "a")})
    out: Flow = {}
    call = exp.CurrentTimestamp(this=exp.column("a"))
    variables.without_brackets(bound.values, call, bound.scope, IDENTITY, out)

    assert ways(out) == {"k#a": CHANGED}


def test_an_element_of_a_collection_is_of_the_whole() -> None:
    """``l(i)``, as PL/SQL has it: its place is looked up, and is not a source; else it is a function."""
    bound = Bound("t", "oracle", {"n:d.T": ("A", "B")})
    bound.walk.hold("l", base_column("n:d.U", "D"))
    bound.walk.declared.add("l")

    assert bound.ways("l(a)") == {"U#D": "IDENTITY"}
    assert bound.ways("f(a)") == {"T#A": CHANGED}
    assert bound.ways("l(nothing)") == {"U#D": "IDENTITY"}
    assert bound.problems() == [("unknown-column", "n:d.T")]


def test_lambda_parameters_are_no_columns(lineage):
    """A lambda's parameter hides a column of its name; other columns in its body count."""
    found = lineage("SELECT transform(arr, x -> x + y) AS z FROM w")

    assert found.columns() == {"z": {"w#arr": "TRANSFORMATION", "w#y": "TRANSFORMATION"}}


def test_a_comprehension_hides_columns_with_its_variables(lineage):
    """The list gives the values, the condition chooses them; the position is not a column either."""
    result = lineage("SELECT [a + b + i FOR a, i IN [c] IF a > b] AS z FROM t", dialect="duckdb")
    assert result.columns() == {"z": {"t#b": "CONDITIONAL+TRANSFORMATION", "t#c": "TRANSFORMATION"}}


def test_a_column_hides_the_function_that_is_called_without_brackets(lineage):
    """Spark looks for a column ``current_date`` first; a source that may have one is not guessed at."""
    known = {"n:d.x": ["current_date", "current_user"]}
    result = lineage("SELECT date_add(current_date, 1) AS z, current_user AS u FROM x", columns=known)
    assert result.names() == {"u": "x#current_user", "z": "x#current_date"}
    assert lineage("SELECT current_date AS z FROM y").names() == {}
    assert lineage("SELECT current_date AS z FROM x", dialect="trino", columns=known).names() == {}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT $1 AS p, $3 || 'x' AS q FROM t", {"P": "t#A", "Q": "t#C"}),
        ("SELECT sum($2) AS s FROM (SELECT b, c FROM t)", {"S": "t#C"}),
        ("SELECT $2 AS p FROM VALUES (1, 2)", {}),
    ],
)
def test_a_column_may_be_named_by_its_place(lineage, sql, expected):
    """Snowflake's ``$1``."""
    world = {"n:d.t": ("A", "B", "C")}
    result = lineage(sql.replace("FROM t", 'FROM "t"'), dialect="snowflake", columns=world)
    assert expected == result.names()
    assert result.found.coverage == "complete"


def holding(dialect: str, name: str = "v") -> Bound:
    """A binder whose script holds the column b of t in a variable."""
    bound = Bound("u", dialect)
    bound.walk.hold(name, base_column("n:d.t", "b"))
    return bound


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [("snowflake", ":v", {"t#b": "IDENTITY"}), ("teradata", ":V", {"t#b": "IDENTITY"}), ("oracle", ":v", {}),
     ("snowflake", ":w", {}), ("snowflake", ":v + 1", {"t#b": CHANGED}),
     ("duckdb", "getvariable('v')", {"t#b": "IDENTITY"}), ("duckdb", "getvariable('w')", {}),
     ("trino", "getvariable('v')", {})],
)  # fmt: skip
def test_a_variable_is_read_as_its_dialect_writes_it(dialect: str, text: str, expected: dict[str, str]) -> None:
    """With a colon, or by a function; elsewhere a name after a colon is a value that is handed in."""
    assert holding(dialect).ways(text) == expected


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [("snowflake", ":r.b", {"t#b": "IDENTITY"}), ("snowflake", ":r.a + 1", {"t#a": CHANGED}),
     ("snowflake", ":q.b", {}), ("oracle", ":r.b", {})],
)  # fmt: skip
def test_a_field_of_a_loops_row_is_read_after_a_colon(dialect: str, text: str, expected: dict[str, str]) -> None:
    """Where the dialect writes variables so."""
    bound = Bound("u", dialect)
    bound.walk.row_variables["r"] = Relation([base_column("n:d.t", name) for name in ("a", "b")])

    assert bound.ways(text) == expected


@pytest.mark.parametrize(
    ("dialect", "given", "expected"),
    [("snowflake", "far", "FAR#V"), ("snowflake", "", "t#b"), ("oracle", "far", "t#b"), ("teradata", "far", "t#b")],
)
def test_a_bare_name_in_a_query_is_a_column_where_variables_need_a_colon(
    dialect: str, given: str, expected: str
) -> None:
    """In Snowflake a variable without one is read only where there is no source."""
    bound = Bound(given, dialect, {})
    bound.walk.declared.add("v")
    bound.walk.hold("v", base_column("n:d.t", "b"))

    assert list(bound.ways("v")) == [expected]


@pytest.mark.parametrize("known", [{"n:d.t": ("a", "b"), "n:d.u": ("a", "b")}, {}])
@pytest.mark.parametrize(
    ("dialect", "value"),
    [
        ("tsql", "NEXT VALUE FOR dbo.s"),
        ("fabric", "NEXT VALUE FOR s"),
        ("db2", "NEXT VALUE FOR d.s"),
        ("db2", "NEXTVAL FOR s"),
        ("db2", "PREVIOUS VALUE FOR s"),
        ("db2", "s.NEXTVAL"),
        ("mariadb", "NEXT VALUE FOR s"),
        ("mariadb", "NEXTVAL(d.s)"),
        ("mariadb", "LASTVAL(s)"),
        ("mariadb", "s.nextval"),
        ("oracle", "d.s.NEXTVAL"),
        ("snowflake", "s.NEXTVAL"),
        ("teradata", "NEXT VALUE FOR s"),
        ("ansi", "NEXT VALUE FOR s"),
    ],
)
def test_a_sequence_is_no_column(dialect: str, value: str, known: dict[str, tuple[str, ...]]) -> None:
    """Its name was taken for a column of the source, in a complete answer; with a join it was ambiguous."""
    known = {
        node.replace("d.", "dbo.") if dialect in ("tsql", "fabric") else node: names for node, names in known.items()
    }
    for written in (
        f"INSERT INTO o (x, y) SELECT {value}, u.a FROM u",
        f"INSERT INTO o (y, x) SELECT u.a, {value} FROM u JOIN t ON u.a = t.a",
        f"MERGE INTO o USING u ON o.x = u.b WHEN NOT MATCHED THEN INSERT (x, y) VALUES ({value}, u.a)",
        f"UPDATE o SET x = {value}, y = (SELECT MAX(a) FROM u)",
    ):
        found = extract(f"{written};", dialect=dialect, namespace="n", default_database="d", columns=known)

        assert (found.coverage, found.problems) == ("complete", ())
        assert {edge.target.lower().rpartition("#")[2] for edge in found.edges if "#" in edge.target} == {"y"}


def test_a_sequences_order_says_which_row_gets_which_value() -> None:
    """As that of a row's number; a row of values that only takes from a sequence is a complete answer."""
    sql = (
        "INSERT INTO o (x) SELECT NEXT VALUE FOR s OVER (ORDER BY u.a) FROM u; INSERT INTO o VALUES (NEXT VALUE FOR s)"
    )
    found = extract(sql, dialect="tsql", namespace="n")

    assert [(edge.source, edge.target, edge.subtype) for edge in found.edges] == [("n:u#a", "n:o#x", "WINDOW")]
    assert found.coverage == "complete"


def test_a_sequence_in_from_gives_its_values() -> None:
    """Snowflake's GETNEXTVAL was not looked into, and a column beside it was ambiguous."""
    sql = "INSERT INTO o (x, y) SELECT s.NEXTVAL, a FROM u, TABLE(GETNEXTVAL(q)) s"
    found = extract(sql, dialect="snowflake", namespace="n")

    assert [(edge.source, edge.target) for edge in found.edges if "#" in edge.target] == [("n:U#A", "n:O#Y")]
    assert found.coverage == "complete"


def test_each_field_of_a_files_metadata_comes_from_the_same_field_of_the_files() -> None:
    """Others than those that all files have may be there, too."""
    found = fields_of_file(Column("_metadata", (Part({"n:t#_metadata": IDENTITY}, "_metadata"),)))

    assert [column.name for column in found][::6] == ["file_path", "*"]
    assert dict(found[0].flow()) == {"n:t#_metadata.file_path": IDENTITY}
