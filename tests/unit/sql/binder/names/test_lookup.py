"""What a name in an expression is taken for, in which order, and what is reported of one that nobody has."""

from __future__ import annotations

import pytest
from bound import Bound, listed, sources, ways

from ingest.sql.binder.names.lookup import path_parts
from ingest.sql.binder.names.scope import Resolved, Scope
from ingest.sql.binder.relations.flow import FILTER, Column
from ingest.sql.binder.relations.relations import Effects, base_column, base_relation


def looked_up(bound: Bound, name: str) -> str:
    """Return the sources of a name without quotes; "none" where it has no column."""
    return sources(bound.values.lookup.find(name.split("."), bound.scope))


@pytest.mark.parametrize(
    ("given", "name", "expected", "problems"),
    [
        ("t", "b", "t#b", []),
        ("t", "k", "t#k", [("unknown-column", "n:d.t")]),
        ("t AS q", "q.s.k", "t#s.k", [("unknown-column", "n:d.t")]),
        ("t, u", "u.k", "u#k", [("unknown-column", "n:d.u")]),
        ("t, u", "k", "none", [("unknown-column", "k")]),
        ("t, u", "a", "none", [("ambiguous-column", "a")]),
        ("far, away", "k", "none", [("ambiguous-column", "k")]),
        ("(SELECT a FROM t) AS q", "q.b", "none", [("unknown-column", "q.b")]),
        ("", "k", "none", [("unknown-column", "k")]),
        ("far", "k", "far#k", []),
    ],
)
def test_a_name_that_no_source_has_is_reported(given: str, name: str, expected: str, problems: list) -> None:
    """Of one stored table it is a column that is newer than what is known; else it is nobody's. Said once."""
    bound = Bound(given, "trino")

    assert [looked_up(bound, name), looked_up(bound, name)] == [expected, expected]
    assert bound.problems() == problems


def test_a_guess_that_may_be_wrong_is_taken_and_reported() -> None:
    """An unknown table in a subquery may have the column that the query around is known to have."""
    bound = Bound("t", "trino")
    bound.scope = bound.sight("far", bound.scope)

    assert looked_up(bound, "b") == "far#b"
    assert bound.problems() == [("ambiguous-column", "b")]


def test_a_field_that_a_struct_is_known_not_to_have_is_reported() -> None:
    """The edge is from the struct all the same; a struct of unknown fields may have any."""
    bound = Bound("k", columns={"n:d.k": (("s", "struct<x:int>"), "r")})

    assert [looked_up(bound, name) for name in ("s.x", "r.y", "s.y")] == ["k#s.x", "k#r.y", "k#s.y"]
    assert bound.problems() == [("unknown-column", "s.y")]


@pytest.mark.parametrize("word", ["DAY", "sysdate", "rownum", "@v", "level"])
def test_words_of_the_engine_are_no_columns(word: str) -> None:
    """Units of time, constants and variables of the session come from nowhere, and nothing is reported."""
    bound = Bound("t", "hive")

    assert looked_up(bound, word) == ""
    assert bound.problems() == []


def test_a_known_column_goes_before_a_word_of_the_engine() -> None:
    """A table that has a column ``day`` means it; one of unknown columns may have it."""
    assert looked_up(Bound("k", "hive", {"n:d.k": ("Day",)}), "day") == "k#Day"
    assert looked_up(Bound("far", "hive"), "day") == "far#day"


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("postgres", "user", ""),
        ("postgres", '"user"', "far#user"),
        ("postgres", "far.user", "far#user"),
        ("hive", "user", "far#user"),
        ("oracle", "s.nextval", ""),
        ("oracle", "a.s.nextval", ""),
        ("vertica", "s.nextval", ""),
        ("duckdb", "s.nextval", "far#s.nextval"),
    ],
)
def test_a_word_alone_may_call_a_function(dialect: str, text: str, expected: str) -> None:
    """As the dialect has it; in quotes, or after a source, it is a name, and so is a sequence elsewhere."""
    bound = Bound("far", dialect)

    assert sources(bound.values.plain(bound.item(text), bound.scope)) == expected


def test_a_known_column_and_a_variable_go_before_a_function_without_brackets() -> None:
    """Where a source is known to have a column of that name, it is meant."""
    known = Bound("k", "postgres", {"n:d.k": ("user",)})
    held = Bound("far", "postgres")
    held.walk.hold("user", base_column("n:d.t", "a"))
    held.walk.declared.add("user")

    assert sources(known.values.plain(known.item("user"), known.scope)) == "k#user"
    assert sources(held.values.plain(held.item("user"), held.scope)) == "t#a"


def test_an_item_called_local_is_one_before_it() -> None:
    """Exasol's; one that comes later is not looked at, and is reported."""
    bound = Bound("t", "exasol")
    bound.scope.aliases["z"] = base_column("n:d.t", "a")

    assert sources(bound.values.plain(bound.item("LOCAL.z"), bound.scope)) == "t#a"
    assert sources(bound.values.plain(bound.item("LOCAL.y"), bound.scope)) == ""
    assert bound.problems() == [("unknown-column", "Y")]


@pytest.mark.parametrize(
    ("given", "name", "expected"),
    [
        ("t", "_file", "t#_file"),
        ("t AS q, u", "q._file", "t#_file"),
        ("t, u", "_file", ""),
        ("(SELECT a FROM t) AS q, u", "_FILE", "u#_FILE"),
        ("(SELECT a FROM t) AS q", "_file", ""),
        ("t", "_metadata.file_name", "t#_metadata.file_name"),
        ("far", "_metadata.x.y", "far#_metadata.x.y"),
    ],
)
def test_a_column_of_the_engine_is_of_the_one_stored_table(given: str, name: str, expected: str) -> None:
    """Of several it is nobody's; neither is one of a derived table. Nothing is reported."""
    bound = Bound(given)

    assert looked_up(bound, name) == expected
    assert bound.problems() == []


def test_the_metadata_of_files_has_fields_that_all_files_have_and_others() -> None:
    """In Spark; elsewhere it is one value."""
    spark, hive = Bound("t"), Bound("t", "hive")
    found = spark.values.lookup.find(["_metadata"], spark.scope)
    plain = hive.values.lookup.find(["_metadata"], hive.scope)

    assert found is not None
    assert found.fields is not None
    assert [name for name, _ in listed(found.fields()) or ()] == [
        *("file_path", "file_name", "file_size", "file_block_start", "file_block_length"),
        *("file_modification_time", "*"),
    ]
    assert plain is not None
    assert plain.fields is None


def test_a_declared_variable_goes_after_known_columns_only() -> None:
    """Before a column that an unknown table may have; an alias in FROM hides it, and one not declared goes last."""
    bound = Bound("far AS q, t", "postgres")
    for name in ("v", "a", "q", "late"):
        bound.walk.hold(name, base_column("n:d.u", "d"))
    bound.walk.declared |= {"v", "a", "q"}

    assert [looked_up(bound, name) for name in ("V", "a", "q.k", "late")] == ["u#d", "t#a", "far#k", "far#late"]
    last = Bound("t", "postgres")
    last.walk.hold("late", base_column("n:d.u", "d"))
    assert looked_up(last, "late") == "u#d"
    assert last.problems() == []


def test_a_variable_of_the_session_is_found_under_its_whole_name() -> None:
    """Spark's; one that nothing set comes from nowhere. ``session.v`` goes after a struct that a source may have."""
    known, unknown = Bound("t"), Bound("far")
    for bound in (known, unknown):
        bound.walk.hold("v", base_column("n:d.u", "d"))

    assert [looked_up(unknown, name) for name in ("system.session.v", "system.session.w")] == ["u#d", ""]
    assert [looked_up(bound, "session.v") for bound in (known, unknown)] == ["u#d", "far#session.v"]
    assert looked_up(Bound("t", "hive"), "system.session.v") == "t#system.session.v"


def test_a_field_of_a_loops_record_is_its_querys_column() -> None:
    """What chose the rows decides about those that use them; a source of that name hides the record."""
    effects = Effects()
    effects.predicates["n:d.u#e"] = FILTER
    bound = Bound("far", "postgres")
    rows = base_relation("n:d.u", ("d", "s"), {})
    rows.effects.add(effects)
    bound.walk.row_variables["r"] = rows

    assert [looked_up(bound, name) for name in ("R.d", "r.s.x", "far.d")] == ["u#d", "u#s.x", "far#d"]
    assert bound.decisions() == {"u#e": "FILTER"}
    bound.scope = bound.sight("far AS r")
    assert looked_up(bound, "r.d") == "far#d"
    assert bound.decisions() == {}


def test_an_item_is_known_before_its_place_where_the_engine_has_it_so() -> None:
    """ClickHouse: inside itself the name is the column's, and two that name each other end somewhere."""
    bound = Bound("t", "clickhouse")
    items = bound.tree("SELECT z + 1 AS y, a AS z, a + b AS b, c AS k, k AS c FROM t").expressions
    bound.scope.ahead = {item.alias: item for item in items}

    assert [looked_up(bound, name) for name in ("y", "z", "b")] == ["t#a", "t#a", "t#a t#b"]
    assert looked_up(bound, "k.f") == "t#k.f"
    bound.scope.current = items[2]
    bound.scope.aliases.clear()
    assert looked_up(bound, "b") == "t#b"
    bound.scope = Scope(parent=bound.scope, parameters={"x": Column("x", ())})  # inside of a lambda
    assert [looked_up(bound, name) for name in ("z", "x")] == ["t#a", ""]


@pytest.mark.parametrize("remembered", [None, Resolved()])
def test_names_in_the_place_of_a_long_array_are_all_its_sources(remembered: Resolved | None) -> None:
    """Fields of one column are gathered; a name that no source has is reported as if it was written there."""
    bound = Bound("w", "bigquery")
    bound.scope.resolved = remembered
    bound.walk.markers = {"marker": [["st", "f"], ["x"], ["st", "g", "h"], ["nothing"]]}
    found = bound.values.lookup.find(["marker"], bound.scope)

    assert found is not None
    assert ways(found.flow()) == dict.fromkeys(("w#st.f", "w#st.g.h", "w#x", "w#nothing"), "IDENTITY")
    assert bound.problems() == [("unknown-column", "n:d.w")]


def test_what_was_looked_up_is_known_by_the_node_and_by_its_place() -> None:
    """A copy of a name at the same place counts as resolved; another name at another place does not."""
    bound = Bound("w", "bigquery")
    lookup, tree = bound.values.lookup, bound.tree("SELECT st.f, y FROM w")
    path, other = tree.expressions

    assert lookup.column_at(path) is None
    found = bound.values.plain(path, bound.scope)
    copied = path.copy()
    assert lookup.column_at(path) is found
    assert (lookup.column_at(copied), lookup.knows(copied)) == (None, True)
    assert not lookup.knows(other)
    assert (path.this.meta["start"] in lookup.places, other.this.meta["start"] in lookup.places) == (True, False)
    assert lookup.knows(bound.column("y") and other) is False  # another text's places are not this one's


def test_a_name_without_a_column_still_was_looked_up() -> None:
    """It has no source, and the problem was reported."""
    bound = Bound("t, u", "trino")
    node = bound.item("nothing")
    column = bound.values.plain(node, bound.scope)

    assert isinstance(column, Column)
    assert (column.name, column.parts, bound.values.lookup.column_at(node)) == ("nothing", (), column)
    assert bound.values.plain(bound.item("a + 1"), bound.scope) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a", "a"), ("d.t.a", "d t a"), ("p.d.t.a.x.y", "p d t a x y"), ("t.*", None), ("*", None), ("a + b", None),
     ("(s).x", "s x"), ("((t.s).x).y", "t s x y"), ("(a + b).x", None), ("(f(a)).x", None), ("arr[0].x", None),
     ("a.f(b)", None)],
)  # fmt: skip
def test_a_path_is_made_of_names_alone(text: str, expected: str | None) -> None:
    """A star, an element, an operator or a call in it makes it something else; brackets around a part do not."""
    parts = path_parts(Bound("", "bigquery").item(text))

    assert (None if parts is None else " ".join(part.name for part in parts)) == expected


SETS = {"n:d.t": ("a", "b", "bc"), "n:d.w": ("a", "x")}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("WITH a + b AS k SELECT k * bc AS z FROM t", {"z": "t#a t#b t#bc"}),
        ("WITH (SELECT max(x) FROM w) AS m SELECT a + m AS z FROM t", {"z": "t#a w#x"}),
        ("WITH 5 AS k, q AS (SELECT a FROM t) SELECT a + k AS z FROM q", {"z": "t#a"}),
        ("WITH lower(a) AS a SELECT a AS z FROM t", {"z": "t#a"}),
        ("WITH a + 1 AS k, k * b AS l SELECT z FROM (SELECT l AS z FROM t)", {"z": "t#a t#b"}),
        ("WITH a AS k SELECT k AS z FROM t UNION ALL SELECT k FROM w", {"z": "t#a w#a"}),
    ],
)
def test_a_named_expression_is_over_the_sources_of_who_names_it(lineage, sql, expected):
    """ClickHouse's WITH."""
    result = lineage(sql, dialect="clickhouse", columns=SETS)
    assert result.names() == expected
    assert result.found.coverage == "complete"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT z FROM v WHERE k IN UNNEST(found)", {"z": "v#z"}),
        ("SELECT found AS z FROM v", {"z": "u#d"}),
        ("SELECT found.k AS z FROM v", {"z": "u#d"}),
        ("SELECT found.z FROM v AS found", {"z": "v#z"}),
        ("SELECT a FROM t", {"a": "t#a"}),
        ("SELECT found AS z FROM (SELECT b AS found FROM t)", {"z": "t#b"}),
    ],
)
def test_a_declared_variable_comes_before_columns_that_nobody_knows(lineage, sql, expected):
    """But after columns that are known, and after what a source is called."""
    script = f"DECLARE found, a ARRAY<INT64>; SET found = ARRAY(SELECT d FROM u); {sql}"
    result = lineage(script, dialect="bigquery")
    assert expected == result.names()
    assert "v#found" not in str(result.decisions())
