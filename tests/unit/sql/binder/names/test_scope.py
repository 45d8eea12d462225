"""What is in sight of one SELECT, and in which order it is looked for."""

from __future__ import annotations

from sqlglot import exp

from ingest.sql.binder.names.scope import Cte, Scope, Source
from ingest.sql.binder.relations.flow import FILTER, IDENTITY, Column
from ingest.sql.binder.relations.relations import Relation, base_relation


def stored(alias: str, table: str = "t") -> Source:
    """Return a table of one column under an alias."""
    return Source(alias, ("d", table), base_relation(f"n:d.{table}", ("a",), {}))


def named(name: str, before: Cte | None = None, *, scalar: bool = False) -> Cte:
    """Return a named query, or a named expression."""
    return Cte(name, exp.CTE(scalar=scalar), None, before)


def test_of_two_sources_under_one_name_the_first_is_meant() -> None:
    """In any case of letters; both are there for a star, and a source without a name has none."""
    scope, first, second, bare = Scope(), stored("T"), stored("t", "u"), stored("", "w")
    for source in (first, second, bare):
        scope.add_source(source)

    assert scope.by_alias == {"t": first}
    assert scope.sources == [first, second, bare]
    assert scope.rows() == {"n:d.t", "n:d.u", "n:d.w"}
    assert Scope().rows() == frozenset()


def test_what_making_a_source_does_the_select_does() -> None:
    """It reads what the source reads, and what decides about the source's rows decides about its own."""
    scope, filtered = Scope(), stored("q")
    filtered.relation.effects.predicates["n:d.u#d"] = FILTER
    scope.add_source(filtered)
    scope.add_source(stored("w", "w"))

    assert scope.effects.reads == {"n:d.t", "n:d.w"}
    assert scope.effects.predicates == {"n:d.u#d": FILTER}


def test_a_source_that_is_taken_away_gives_up_its_own_name_only() -> None:
    """The last one goes; a name that belongs to an earlier source stays where it is."""
    scope, first, second = Scope(), stored("t"), stored("T", "u")
    scope.add_source(first)
    scope.add_source(second)

    assert scope.remove_source() is second
    assert scope.by_alias == {"t": first}
    assert scope.remove_source() is first
    assert (scope.by_alias, scope.sources) == ({}, [])


def test_a_derived_table_sees_what_is_around_but_not_beside_it() -> None:
    """The queries around, named queries and parameters are in sight; sources and select items are not."""
    column = Column("p", ())
    scope = Scope(parent=Scope(), ctes=named("q"), parameters={"p": column}, aliases={"z": column})
    scope.add_source(stored("t"))
    beside = scope.beside()

    assert beside.parent is scope.parent
    assert beside.cte("Q") is scope.ctes
    assert beside.parameters == {"p": column}
    assert (beside.sources, beside.by_alias, beside.aliases) == ([], {}, {})


def test_a_copy_has_the_same_sources_and_lives_on_its_own() -> None:
    """What is added to either later does not reach the other, effects included."""
    scope = Scope(ctes=named("q"), merged={"k": Column("k", ())}, aliases={"z": Column("z", ())})
    scope.add_source(stored("t"))
    copy = scope.copy()
    copy.add_source(stored("u", "u"))
    copy.merged.clear()
    scope.effects.predicates["n:d.t#a"] = FILTER

    assert [source.alias for source in copy.sources] == ["t", "u"]
    assert [source.alias for source in scope.sources] == ["t"]
    assert (list(scope.merged), list(scope.by_alias), scope.effects.reads) == (["k"], ["t"], {"n:d.t"})
    assert (copy.effects.predicates, copy.effects.reads) == ({}, {"n:d.t", "n:d.u"})
    assert copy.cte("q") is scope.ctes
    assert copy.aliases == {}


def test_the_nearest_named_query_is_meant() -> None:
    """The last one before a place, then those of the queries around; an expression's name is not a query's."""
    outer, first = named("q"), named("q")
    second = named("q", first)
    around = Scope(ctes=outer)
    scope = Scope(parent=around, ctes=named("k", second, scalar=True))

    assert scope.cte("Q") is second
    assert Scope(parent=around).cte("q") is outer
    assert scope.cte("k") is None
    assert scope.cte("K", scalar=True) is scope.ctes
    assert scope.cte("q", scalar=True) is None


def test_a_window_is_looked_for_inside_out() -> None:
    """In any case of letters; a name that nobody defines has no definition."""
    around = Scope(windows={"w": "outer", "v": "far"})
    scope = Scope(parent=Scope(parent=around), windows={"w": "inner"})

    assert [scope.window(name) for name in ("W", "V", "x")] == ["inner", "far", None]
    assert [level is around for level in scope.chain()] == [False, False, True]


def test_rows_are_those_of_stored_tables_inside_derived_ones() -> None:
    """A source that is made of values has no dataset's rows."""
    scope = Scope()
    scope.add_source(Source("v", (), Relation([Column("x", ())])))
    scope.add_source(Source("q", (), Relation([], rows=frozenset(["n:d.t", "n:d.u"]))))

    assert scope.rows() == {"n:d.t", "n:d.u"}
    assert stored("t").relation.columns[0].flow() == {"n:d.t#a": IDENTITY}
