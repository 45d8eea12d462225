"""Which column a dotted name is, over sources of known and of unknown columns."""

from __future__ import annotations

import pytest
from bound import WORLD, Bound, listed, sources

from ingest.sql.binder.names.resolving import find_source, is_no_source, known_column, resolve, whole_row
from ingest.sql.binder.names.scope import NameMatch, Resolved, Scope
from ingest.sql.binder.relations.flow import TRANSFORMATION, Column, known_fields
from ingest.sql.binder.relations.relations import base_column


def found(bound: Bound, name: str, scope: Scope | None = None, *, alias_first: bool = False) -> NameMatch:
    """Resolve a dotted name over the sources in sight."""
    return resolve(scope or bound.scope, name.split("."), alias_first=alias_first)


@pytest.mark.parametrize(
    ("given", "name", "expected"),
    [
        ("t", "A", "t#a"),
        ("t", "t.a", "t#a"),
        ("t AS q", "q.a", "t#a"),
        ("t", "d.t.a", "t#a"),
        ("t", "D.T.a.x.y", "t#a.x.y"),
        ("t JOIN u ON true", "u.a", "u#a"),
        ("t JOIN u ON true", "d", "u#d"),
        ("w", "st.k", "w#st.k"),
        ("w AS st", "st.st.k", "w#st.k"),
        ("t JOIN far ON true", "b", "t#b"),
        ("t JOIN far ON true", "k", "far#k"),
        ("far", "K.x", "far#K.x"),
    ],
)
def test_a_name_is_the_one_column_that_it_can_be(given: str, name: str, expected: str) -> None:
    """A source in front goes before a struct; a known column before an unknown one; fields keep their path."""
    result = found(Bound(given), name)

    assert sources(result.column) == expected
    assert (result.ambiguous, result.doubtful, result.missing) == ((), (), False)


def test_a_name_that_several_sources_have_is_none_of_them() -> None:
    """The datasets are named in order; so are those of unknown columns, and without any source a name is missing."""
    assert found(Bound("u JOIN t ON true"), "a").ambiguous == ("n:d.t", "n:d.u")
    assert found(Bound("far JOIN away ON true"), "k").ambiguous == ("n:d.away", "n:d.far")
    assert found(Bound("far JOIN far AS q ON true"), "k").column is not None  # either way it is far's
    assert found(Bound("t"), "k") == NameMatch(missing=True)
    assert found(Bound(""), "k") == NameMatch(missing=True)


def test_the_inner_source_goes_before_the_query_around() -> None:
    """A column that only the query around has is that one's, and an unknown inner table goes before it in doubt."""
    outer = Bound("t")
    inner = outer.sight("u", outer.scope)
    unknown = outer.sight("far", outer.scope)

    assert sources(found(outer, "a", inner).column) == "u#a"
    assert sources(found(outer, "b", inner).column) == "t#b"
    assert sources(found(outer, "t.a", inner).column) == "t#a"
    guess = found(outer, "b", unknown)
    assert (sources(guess.column), guess.doubtful) == ("far#b", ("n:d.far",))
    assert (sources(found(outer, "k", unknown).column), found(outer, "k", unknown).doubtful) == ("far#k", ())
    assert sources(found(outer, "t.k", unknown).column) == "none"  # t is a source around, and is known not to have it


def test_nothing_is_guessed_of_a_known_column() -> None:
    """Where a source may have a column, but nobody knows, there is none; the queries around are asked, too."""
    bound = Bound("far")
    inside = bound.sight("away", bound.sight("t"))

    assert known_column(bound.scope, "k") is None
    assert sources(known_column(inside, "B")) == "t#b"
    assert known_column(Bound("t JOIN u ON true").scope, "a") is None  # of two there is not the one


def test_a_parameter_goes_after_known_columns_and_before_unknown_ones() -> None:
    """A lambda's names are in a scope of their own; a function's body over a table of unknown columns means them."""
    given = {"p": base_column("n:d.t", "a"), "d": base_column("n:d.t", "b")}
    bound = Bound("u")
    bound.scope.parameters |= given
    unknown = bound.sight("far", Scope(parameters=given))

    assert sources(found(bound, "p.x").column) == "t#a.x"
    assert sources(found(bound, "d").column) == "u#d"
    assert sources(found(bound, "P.x", unknown).column) == "t#a.x"
    assert sources(found(bound, "k", unknown).column) == "far#k"


@pytest.mark.parametrize(
    ("given", "changes", "expected"),
    [
        ("t", {}, "t#b"),
        ("t", {"alias_first": True}, "u#d"),
        ("t", {"aliases_visible": True}, "t#b"),
        ("u", {}, "u#d"),
        ("far", {"aliases_visible": True}, "u#d"),
        ("far", {}, "far#b"),
    ],
)
def test_an_item_is_meant_where_the_clause_says_so(given: str, changes: dict[str, bool], expected: str) -> None:
    """Else a known column goes first; before the select list is done an item is none of an unknown table's columns."""
    bound = Bound(given, "postgres")
    bound.scope.aliases["b"] = base_column("n:d.u", "d")
    bound.scope.aliases_visible = changes.get("aliases_visible", False)

    assert sources(found(bound, "b", alias_first=changes.get("alias_first", False)).column) == expected


def test_an_item_made_of_the_unknown_column_of_its_name_leaves_the_name_to_it() -> None:
    """Which is meant is in doubt, until the select list is over, beside one made of others: the table is sure."""
    bound = Bound("far")
    bound.scope.lateral_aliases = True
    bound.scope.aliases |= {"k": bound.column("lower(k)", "k"), "z": bound.column("k + 1", "z")}

    assert found(bound, "k").column is not bound.scope.aliases["k"]
    doubted = found(bound, "z")
    assert (doubted.column and doubted.column.flow(), doubted.doubtful) == ({"n:d.far": TRANSFORMATION}, ("n:d.far",))
    bound.scope.aliases_visible = True
    assert found(bound, "z").doubtful == ()


def test_the_first_source_has_a_column_where_the_engine_takes_it() -> None:
    """A table of unknown columns in front may have it, too, which leaves a doubt; of three sources it is ambiguous."""
    plain, late = Bound("u JOIN t ON true", "clickhouse"), Bound("far, t", "clickhouse")

    assert (sources(found(plain, "a").column), found(plain, "a").doubtful) == ("u#a", ())
    assert (sources(found(late, "a").column), found(late, "a").doubtful) == ("t#a", ("n:d.far",))
    assert found(Bound("w, t, u", "clickhouse"), "a").ambiguous == ("n:d.t", "n:d.u")


def test_a_row_goes_before_a_column_only_in_some_engines() -> None:
    """An alias alone is the row of a source; where a column is called so, it depends on the dialect."""
    given = "t AS x JOIN (SELECT d AS x FROM u) AS q ON true"

    assert sources(found(Bound(given, "bigquery"), "x").column) == "t#a t#b t#c"
    assert sources(found(Bound(given, "duckdb"), "x").column) == "u#d"
    assert sources(found(Bound("t", "postgres"), "T").column) == "t#a t#b t#c"


def test_an_alias_of_an_unknown_table_is_its_row_only_where_rows_are_values() -> None:
    """Elsewhere the name is that of a column, which the table may have."""
    assert sources(found(Bound("far AS q", "postgres"), "q").column) == "far#*"
    assert sources(found(Bound("far AS q", "spark"), "q").column) == "far#q"


def test_a_row_goes_before_what_the_queries_around_have() -> None:
    """A column that is called so further out is another one."""
    bound = Bound("k", "postgres", {**WORLD, "n:d.k": ("t",)})

    assert sources(found(bound, "t", bound.sight("t", bound.scope)).column) == "t#a t#b t#c"
    assert sources(found(bound, "t", bound.sight("u", bound.scope)).column) == "k#t"


def test_a_name_may_be_a_field_of_an_arrays_elements() -> None:
    """Where nothing else is called so; a known column of the query around goes before such a guess."""
    outer = Bound("t", "bigquery")
    inner = outer.sight("w, UNNEST(arr) AS e", outer.scope)

    assert sources(found(outer, "k", inner).column) == "w#arr.k"
    assert sources(found(outer, "b", inner).column) == "t#b"
    assert sources(found(outer, "e.k", inner).column) == "w#arr.k"


def test_a_column_that_using_merged_is_one() -> None:
    """Alone it is that of the side with all rows, with a table in front that table's."""
    bound = Bound("t RIGHT JOIN u USING (a)")

    assert [sources(found(bound, name).column) for name in ("a", "t.a", "u.a")] == ["u#a", "t#a", "u#a"]


def test_a_source_in_front_goes_before_an_item_of_its_name() -> None:
    """``q.k`` is a column of ``q`` where a select item is called ``q``, even if the columns are not known."""
    bound = Bound("far AS q")
    bound.scope.aliases["q"] = base_column("n:d.t", "a")
    bound.scope.aliases_visible = True

    assert sources(found(bound, "q.k").column) == "far#k"


def test_a_row_is_a_struct_of_its_visible_columns() -> None:
    """Its fields are theirs; of an array's elements the one column is the row."""
    (row,) = Bound("t AS q").scope.sources
    (_, element) = Bound("w, UNNEST(arr) AS e", "bigquery").scope.sources

    assert whole_row(row).name == "q"
    assert listed(known_fields(whole_row(row))) == [("a", "t#a"), ("b", "t#b"), ("c", "t#c")]
    assert (whole_row(element).name, sources(whole_row(element)), whole_row(element).fields) == ("e", "w#arr", None)


def test_a_column_of_the_engine_is_never_guessed() -> None:
    """``rowid`` is not a column of an unknown table, but one that is declared is found."""
    assert found(Bound("far"), "ROWID").missing
    assert sources(found(Bound("k", columns={"n:d.k": ("rowid",)}), "rowid").column) == "k#rowid"


def test_a_source_is_found_by_its_alias_or_the_end_of_its_full_name() -> None:
    """What is left over are the parts of the column; an alias hides the table's name, and a column must be left."""
    scope = Bound("d.t JOIN u AS q ON true").scope

    def looked_up(name: str) -> tuple[str | None, list[str]]:
        source, rest = find_source(scope, name.split("."))
        return source.alias if source is not None else None, rest

    assert [looked_up(name) for name in ("T.a", "D.t.a.x", "q")] == [("t", ["a"]), ("t", ["a", "x"]), ("q", [])]
    assert [looked_up(name) for name in ("u.a", "d.t", "d.x.a")] == [
        (None, ["u", "a"]),
        (None, ["d", "t"]),
        (None, ["d", "x", "a"]),
    ]


def test_what_was_resolved_is_remembered_only_as_long_as_it_holds() -> None:
    """A new item of the select list, and a clause with another order, are asked for again."""
    bound = Bound("t", "postgres")
    bound.scope.resolved = Resolved()
    before = found(bound, "b")
    bound.scope.aliases["b"] = base_column("n:d.u", "d")

    assert found(bound, "a") is found(bound, "a")
    assert sources(before.column) == "t#b"
    assert sources(found(bound, "b", alias_first=True).column) == "u#d"
    assert sources(found(bound, "b").column) == "t#b"
    assert sources(found(bound, "c.x").column) == "t#c.x"


def test_names_that_begin_with_no_source_are_fields_of_one_column() -> None:
    """Neither an alias nor a part of a table's name, here or around; without a memory nobody says so."""
    bound = Bound("t AS q")
    inner = bound.sight("u", bound.scope)
    bound.scope.lateral_aliases = inner.lateral_aliases = False
    assert not is_no_source(inner, "c")
    inner.resolved = Resolved()

    assert [is_no_source(inner, name) for name in ("c", "Q", "u", "D", "t")] == [True, False, False, False, False]
    inner.lateral_aliases = True
    assert not is_no_source(inner, "c")


def test_an_item_settles_a_name_that_several_sources_have() -> None:
    """Only in the clauses that the dialect names."""
    bound = Bound("t JOIN u ON true")
    bound.scope.aliases["a"] = Column("a", base_column("n:d.w", "x").parts)

    assert found(bound, "a").column is None
    bound.scope.alias_settles = True
    assert sources(found(bound, "a").column) == "w#x"


def test_the_place_of_an_array_s_element_goes_before_a_column() -> None:
    """WITH OFFSET's name, where rows go first; a column of two tables is still none of them."""
    rows = Bound("x, UNNEST(items) AS item WITH OFFSET AS k", "bigquery", {"n:d.x": ("item", "items", "k")})

    assert sources(found(rows, "item.f").column) == "x#items.f"
    assert sources(found(rows, "k").column) == ""
    assert sources(found(rows, "x.k").column) == "x#k"
    assert found(Bound("t, u", "bigquery"), "a").ambiguous == ("n:d.t", "n:d.u")


@pytest.mark.parametrize(("dialect", "other"), [("snowflake", "ID"), ("oracle", "ID"), ("postgres", "id")])
@pytest.mark.parametrize("turned", [False, True])
def test_a_name_is_the_column_of_its_case_where_there_is_one(dialect: str, other: str, turned: bool) -> None:
    """Of two that differ in their case only, whichever comes first; alone a column is found in any case."""
    table = "m" if dialect == "postgres" else "M"
    names = (other, "Id") if turned else ("Id", other)
    bound = Bound("m", dialect, {f"n:d.{table}": names})

    assert [sources(bound.column(text)) for text in ("id", '"Id"', "m.id", 'm."Id"')] == [
        f"{table}#{name}" for name in (other, "Id", other, "Id")
    ]
    assert sources(Bound("m", dialect, {f"n:d.{table}": ("Id",)}).column("id")) == f"{table}#Id"
