"""The columns of a star, of a place among them, and of a pattern over their names."""

from __future__ import annotations

from itertools import product

import pytest
from bound import WORLD, Bound, listed, sources

from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.names.stars import like
from ingest.sql.binder.relations.flow import Column


def starred(text: str, given: str = "t", dialect: str = "bigquery") -> str:
    """Return the columns of a star with their sources, in order."""
    bound = Bound(given, dialect, {**WORLD, "n:d.s": (("r", "struct<x:int,y:struct<z:int>>"), "q")})
    columns = bound.walk.stars.expand(bound.item(text), bound.scope)
    assert bound.problems() == []
    return ", ".join(f"{column.name}={sources(column)}" for column in columns)


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("*", "t, u AS v", "a=t#a, b=t#b, c=t#c, a=u#a, d=u#d, e=u#e"),
        ("v.*", "t, u AS v", "a=u#a, d=u#d, e=u#e"),
        ("d.t.*", "t", "a=t#a, b=t#b, c=t#c"),
        ("* EXCEPT (B)", "t", "a=t#a, c=t#c"),
        ("* EXCEPT (a)", "t, u", "b=t#b, c=t#c, d=u#d, e=u#e"),
        ("* REPLACE (a || b AS A)", "t", "a=t#a t#b, b=t#b, c=t#c"),
        ("* EXCEPT (b) REPLACE (b AS a)", "t", "a=t#b, c=t#c"),
        ("*", "far", "*=far#*"),
        ("* EXCEPT (k)", "t, far", "a=t#a, b=t#b, c=t#c, *=far#*"),
        ("* REPLACE (k + 1 AS k)", "far", "*=far#*, k=far#k"),
        ("far.* REPLACE (a AS k)", "far, t", "*=far#*, k=t#a"),
        ("r.*", "s", "x=s#r.x, y=s#r.y"),
        ("s.r.y.*", "s", "z=s#r.y.z"),
        ("r.y.* EXCEPT (z)", "s", ""),
        ("q.*", "s", "*=s#q.*"),
        ("far.q.*", "far", "*=far#q.*"),
        ("d.far.q.*", "far", "*=far#q.*"),
        ("v.q.r.*", "far AS v, t", "*=far#q.r.*"),
        ("v.q.* EXCEPT (k)", "far AS v", "*=far#q.*"),
        ("*", "(SELECT 1 AS one, a FROM t)", "one=, a=t#a"),
        ("*", "t JOIN u USING (a)", "a=t#a, b=t#b, c=t#c, d=u#d, e=u#e"),
    ],
)  # fmt: skip
def test_a_star_is_the_columns_in_sight(text: str, given: str, expected: str) -> None:
    """In order, less those of EXCEPT, with what REPLACE puts in their place; unknown ones stay one star."""
    assert starred(text, given, "spark" if given == "s" else "bigquery") == expected


METADATA = ", ".join(
    f"{name}=w#_metadata.{name}"
    for name in ("file_path", "file_name", "file_block_start", "file_block_length", "file_modification_time", "*")
)


@pytest.mark.parametrize(
    ("dialect", "text", "given", "expected"),
    [
        ("trino", "t.*", "t JOIN u USING (a)", "b=t#b, c=t#c"),
        ("spark", "t.*", "t JOIN u USING (a)", "a=t#a, b=t#b, c=t#c"),
        ("spark", "*", "t RIGHT JOIN u USING (a)", "a=u#a, b=t#b, c=t#c, d=u#d, e=u#e"),
        ("spark", "*", "u JOIN s2 USING (e)", "e=u#e, a=u#a, d=u#d, k=s2#k"),
        ("duckdb", "*", "u JOIN s2 USING (e)", "a=u#a, d=u#d, e=u#e, k=s2#k"),
        ("bigquery", "e.*", "w, UNNEST(arr) AS e", "*=w#arr.*"),
        ("spark", "(st).*", "w", "*=w#st.*"),
        ("postgres", "((st).f).*", "w", "*=w#st.f.*"),
        ("postgres", "(w.st).f.*", "w", "*=w#st.f.*"),
        ("bigquery", "IF(TRUE, c, STRUCT(b AS f)).*", "t", "f=t#b t#c.f"),
        ("spark", "_metadata.* EXCEPT (file_size)", "w", METADATA),
        ("spark", "w._metadata.* EXCEPT (file_size)", "w", METADATA),
        ("snowflake", "* RENAME (A AS Z)", "t", "Z=T#A, B=T#B"),
        ("snowflake", "* EXCLUDE B RENAME A AS Z", "t", "Z=T#A"),
        ("snowflake", "* RENAME (K AS Z)", "far", "*=FAR#*, Z=FAR#K"),
        ("snowflake", "* ILIKE '_'", "t", "A=T#A, B=T#B"),
        ("snowflake", "* ILIKE 'a%'", "t", "A=T#A"),
    ],
)
def test_dialects_have_their_own_stars(dialect: str, text: str, given: str, expected: str) -> None:
    """Where columns of USING are, what RENAME and ILIKE do, and what an array's element has."""
    columns = {**WORLD, "n:d.s2": ("e", "k")} if dialect != "snowflake" else {"n:d.T": ("A", "B")}
    bound = Bound(given, dialect, columns)
    columns_of = bound.walk.stars.expand(bound.item(text), bound.scope)

    assert ", ".join(f"{column.name}={sources(column)}" for column in columns_of) == expected


def test_what_a_star_leaves_out_is_not_among_unknown_columns() -> None:
    """EXCEPT, REPLACE and RENAME say so of a table of which nobody knows the columns."""
    bound = Bound("far", "snowflake")
    (star, renamed) = bound.walk.stars.expand(bound.item('* EXCLUDE ("b", C) RENAME (K AS Z)'), bound.scope)

    assert star.excluded == {"b", "c", "k"}
    assert star.parts[0].left_out == {"b", "C", "K"}
    assert renamed.name == "Z"


def test_a_star_makes_all_columns_of_its_tables_count() -> None:
    """Those of the named source alone, or of all in sight; a derived table notes its own."""
    named, all_of, derived = (Bound(given) for given in ("t, u", "t, u", "(SELECT a FROM t) AS q"))
    for bound, text in ((named, "u.*"), (all_of, "*"), (derived, "*")):
        bound.walk.stars.expand(bound.item(text), bound.scope)

    assert [bound.walk.catalog.starred for bound in (named, all_of, derived)] == [{"n:d.u"}, {"n:d.t", "n:d.u"}, set()]


def test_a_star_over_a_struct_makes_its_tables_columns_count() -> None:
    """Its fields change with what is known of that table."""
    bound = Bound("w, t")
    bound.walk.stars.expand(bound.item("st.*"), bound.scope)

    assert bound.walk.catalog.starred == {"n:d.w"}


def test_names_that_a_star_leaves_out_must_be_known() -> None:
    """Engines reject others; all columns stay."""
    bound = Bound("t", "bigquery")

    assert [column.name for column in bound.walk.stars.expand(bound.item("* EXCEPT (nothing)"), bound.scope)] == [
        *"abc"
    ]
    assert bound.problems() == [("unknown-column", "nothing")]


def test_a_star_of_nothing_is_reported() -> None:
    """No source, column or variable is called so; without any source a star alone has no columns."""
    bound = Bound("t")

    assert bound.walk.stars.expand(bound.item("q.*"), bound.scope) == []
    assert bound.problems() == [("unknown-column", "q")]
    bare = Bound("")
    assert bare.walk.stars.expand(bare.item("*"), bare.scope) == []


def test_a_star_of_a_struct_that_several_tables_may_have_is_ambiguous() -> None:
    """Of neither table the columns are known."""
    bound = Bound("far, near")

    assert bound.walk.stars.expand(bound.item("q.r.*"), bound.scope) == []
    assert bound.problems() == [("ambiguous-column", "q.r")]


def test_a_star_may_be_of_the_query_around() -> None:
    """``t.*`` in a subquery whose own sources are others; a star alone is of the nearest sources."""
    bound = Bound("t")
    inner = bound.sight("u", bound.scope)
    of_lambda = Scope(parent=inner, parameters={"x": Column("x", ())})

    assert listed(bound.walk.stars.expand(bound.item("t.*"), inner)) == [("a", "t#a"), ("b", "t#b"), ("c", "t#c")]
    for scope in (inner, of_lambda):
        assert listed(bound.walk.stars.expand(bound.item("*"), scope)) == [("a", "u#a"), ("d", "u#d"), ("e", "u#e")]


@pytest.mark.parametrize(
    ("given", "text", "expected", "problems"),
    [
        ("t, u", "#2", "b=t#b", []),
        ("t, u", "#4", "a=u#a", []),
        ("t", "#4", "none", [("unknown-column", "#4")]),
        ("t", "#0", "none", [("unknown-column", "#0")]),
        ("t, far", "#2", "b=t#b", []),
        ("t, far", "#4", "none", [("unknown-column", "#4")]),
        ("far, t", "#2", "none", [("unknown-column", "#2")]),
        pytest.param("t", "#" + "1" * 5000, "none", [("unknown-column", "#" + "1" * 5000)], id="endless"),
    ],
)
def test_a_place_is_a_column_only_where_all_before_it_are_known(
    given: str, text: str, expected: str, problems: list[tuple[str, str]]
) -> None:
    """DuckDB's ``#2`` counts from one over all sources; what is beyond, or after a star, is reported."""
    bound = Bound(given, "duckdb")
    column = bound.walk.stars.placed(bound.item(text), bound.scope)

    assert ("none" if column is None else f"{column.name}={sources(column)}") == expected
    assert bound.problems() == problems


@pytest.mark.parametrize(
    ("given", "text", "expected"),
    [
        ("t", "`(a|B)`", "a=t#a b=t#b"),
        ("t", "`.*`", "a=t#a b=t#b c=t#c"),
        ("t", "`(a|b)?+.+`", "c=t#c"),
        ("t, u", "u.`[de]`", "d=u#d e=u#e"),
        ("t, u", "`a.*`", "a=t#a a=u#a"),
        ("t", "`x.*`", ""),
        ("far", "`(a)?+.+`", "*=far#*"),
        ("t", "`a`", "none"),
        ("t", "`k`", "none"),
        ("t", "a", "none"),
        ("t", "`(`", "none"),
        ("t", "a + b", "none"),
    ],
)
def test_a_quoted_name_may_be_a_pattern_over_names(given: str, text: str, expected: str) -> None:
    """Hive's: it matches names whole and in any case; a plain name, and what is not a pattern, is none."""
    bound = Bound(given, "hive")
    found = bound.walk.stars.matching(bound.item(text), bound.scope)

    assert ("none" if found is None else " ".join(f"{c.name}={sources(c)}" for c in found)) == expected


def test_a_column_that_is_called_as_a_pattern_looks_is_that_column() -> None:
    """Where a source is known to have it; one that an unknown table may have is taken for a pattern that no name is."""
    known = Bound("k", "hive", {"n:d.k": ("a.+b", "aab")})
    unknown = Bound("far", "hive")

    assert known.walk.stars.matching(known.item("`a.+b`"), known.scope) is None
    assert listed(unknown.walk.stars.matching(unknown.item("`a.+b`"), unknown.scope)) == [("*", "far#*")]


@pytest.mark.parametrize("pattern", ["a[0-9]", "[^x-z]", "^a.$", "a\\d", "a.{2}", "(a)?"])
def test_a_pattern_over_unknown_columns_is_a_star(pattern: str) -> None:
    """A column that is called so would be in a complete answer."""
    bound = Bound("far", "hive")

    assert listed(bound.walk.stars.matching(bound.item(f"`{pattern}`"), bound.scope)) == [("*", "far#*")]


@pytest.mark.parametrize("name", ["Amount (USD)", "金额(元)", "rate(%)", "a [eur]", "is ok?", "count(1)", "(a + 1)"])
@pytest.mark.parametrize("table", ["far", "t"])
def test_a_name_with_brackets_is_a_name_where_it_matches_nothing(name: str, table: str) -> None:
    """It was taken for a pattern: of an unknown table it became a star, and of a known one it was no column at all."""
    bound = Bound(table, "hive")

    assert bound.walk.stars.matching(bound.item(f"`{name}`"), bound.scope) is None


@pytest.mark.parametrize(
    ("dialect", "quoted"),
    [("trino", '"Amount (USD)"'), ("snowflake", '"Amount (USD)"'), ("bigquery", "`Amount (USD)`"),
     ("tsql", "[Amount (USD)]"), ("postgres", '"Amount (USD)"'), ("postgres", '"a.*|b"')],
)  # fmt: skip
def test_only_hive_and_its_like_have_patterns(lineage, dialect, quoted):
    """Elsewhere each quoted name is one: it was a star, and the answer partial."""
    result = lineage(f"INSERT INTO d.o (x) SELECT {quoted} FROM d.far", dialect, target=None)

    assert [edge.source.partition("#")[2].lower() for edge in result.found.edges] == [quoted[1:-1].lower()]
    assert result.found.coverage == "complete"


def test_a_pattern_that_leaves_names_out_says_so_of_unknown_columns() -> None:
    """``(ds|pt)?+.+`` are all but these."""
    bound = Bound("far", "hive")
    (star,) = bound.walk.stars.matching(bound.item("`(DS|pt)?+.+`"), bound.scope) or [Column("", ())]

    assert star.name == "*"
    assert star.excluded == {"ds", "pt"}


@pytest.mark.parametrize(
    ("pattern", "name", "any_case", "matches"),
    [
        ("a%", "abc", False, True),
        ("a%", "xabc", False, False),
        ("a_c", "abc", False, True),
        ("a_c", "ac", False, False),
        ("a.c", "abc", False, False),
        ("A%", "abc", False, False),
        ("Ä%", "äbc", True, True),
        ("", "", False, True),
        ("", "a", False, False),
    ],
)
def test_like_matches_a_name_whole(pattern: str, name: str, any_case: bool, matches: bool) -> None:
    """``%`` is anything, ``_`` one character, all else itself."""
    assert bool(like(pattern, any_case=any_case).fullmatch(name)) is matches


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("spark", "SELECT * FROM t", {"a": "t#a", "b": "t#b", "c": "t#c"}),
        ("spark", "SELECT x.* FROM t x, u", {"a": "t#a", "b": "t#b", "c": "t#c"}),
        ("spark", "SELECT d.t.* FROM d.t", {"a": "t#a", "b": "t#b", "c": "t#c"}),
        ("bigquery", "SELECT * EXCEPT (a) FROM t", {"b": "t#b", "c": "t#c"}),
        ("spark", "SELECT * EXCEPT (inner, a) FROM (SELECT t.*, 1 AS inner FROM t)", {"b": "t#b", "c": "t#c"}),
        ("bigquery", "SELECT * REPLACE (a + b AS a) FROM t", {"a": "t#a t#b", "b": "t#b", "c": "t#c"}),
        ("snowflake", 'SELECT * EXCLUDE ("b") RENAME ("a" AS "z") FROM "t"', {"z": "t#a", "c": "t#c"}),
        ("hive", "SELECT `(a|b)` FROM t", {"a": "t#a", "b": "t#b"}),
        ("hive", "SELECT `(a)?+.+` FROM t", {"b": "t#b", "c": "t#c"}),
        ("duckdb", "SELECT COLUMNS('a|c') FROM t", {"a": "t#a", "c": "t#c"}),
    ],
)
def test_stars_are_expanded(lineage, dialect, sql, expected):
    """A star is all columns in scope, less what EXCEPT takes away, with REPLACE, RENAME and patterns."""
    given = {"default_database": "d"}
    assert expected == lineage(sql, dialect, **given).names()


def test_an_unknown_tables_star_is_told_as_such(lineage):
    """Columns that nobody declared are one edge from star to star, and the answer is partial and names the table."""
    found = lineage("SELECT *, a + 1 AS z FROM nowhere")

    assert found.columns() == {"*": {"nowhere#*": "IDENTITY"}, "z": {"nowhere#a": "TRANSFORMATION"}}
    assert found.found.coverage == "partial"
    assert "n:d.nowhere" in {problem.subject for problem in found.found.problems}


MIXED = {"n:d.M": ("Id", "ID", "x")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* EXCLUDE (id)", "Id x"),
        ('* EXCLUDE ("Id")', "ID x"),
        ("* RENAME (x AS xx)", "Id ID XX"),
        ('* RENAME (id AS k, "Id" AS "w")', "w K x"),
        ("* REPLACE (1 AS id)", "Id ID x"),
        ("m.* EXCLUDE (id) RENAME (x AS y)", "Id Y"),
    ],
)
def test_what_a_star_leaves_out_or_renames_is_the_column_of_the_written_case(text: str, expected: str) -> None:
    """Snowflake's quoted name is another one; one that has no column of its case means that of any case."""
    bound = Bound("m", "snowflake", MIXED)
    columns = bound.walk.stars.expand(bound.item(text), bound.scope)

    assert " ".join(column.name for column in columns) == expected
    assert bound.problems() == []


def test_a_star_replaces_only_the_column_of_the_written_case() -> None:
    """The other keeps its source."""
    bound = Bound("m", "snowflake", MIXED)
    columns = bound.walk.stars.expand(bound.item('* REPLACE (x AS "Id")'), bound.scope)

    assert [sources(column) for column in columns] == ["M#x", "M#ID", "M#x"]


@pytest.mark.parametrize("dialect", ["bigquery", "spark", "databricks"])
def test_the_star_of_an_unknown_struct_is_of_unknown_columns(lineage, dialect):
    """With its table's alias in front as without: what is named out of it later is a field."""
    result = lineage("INSERT INTO o SELECT s.a, s.q.* FROM far AS s", dialect=dialect)
    later = lineage("SELECT x.z FROM (SELECT s.q.* FROM far AS s) AS x", dialect=dialect)

    assert result.names() == {"a": "far#a", "*": "far#q.*"}
    assert result.codes() == {"unknown-columns"}
    assert later.names() == {"z": "far#q.z"}


@pytest.mark.parametrize("dialect", ["hive", "maxcompute", "spark"])
@pytest.mark.parametrize("item", ["`(a|c)?+.+`", "t.`(a|c)?+.+`", "`b.*`"])
def test_a_pattern_over_known_columns_is_understood(lineage, dialect, item):
    """Its edges were right, and the pattern was named as a word that no rule understands."""
    told = lineage(f"SELECT {item} FROM t", dialect=dialect)
    assert told.names() == {"b": "t#b"}
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "star"),
    [
        *product(["postgres", "risingwave", "bigquery", "spark", "duckdb"], ["((s).n).*", "(s).n.*", "((v.s).n).*"]),
        *product(["bigquery", "spark", "duckdb"], ["(s.n).*"]),  # elsewhere s is a table
    ],
)
def test_brackets_in_a_path_to_fields_change_nothing(lineage, dialect, star):
    """Each field came from all of the struct, as something computed."""
    kind = "struct(n struct(p int, q int))" if dialect == "duckdb" else "struct<n:struct<p:int,q:int>>"
    known = {"n:d.v": [("s", kind)]}
    told = lineage(f"INSERT INTO o SELECT {star} FROM v", dialect, columns=known)

    assert told.columns() == {"p": {"v#s.n.p": "IDENTITY"}, "q": {"v#s.n.q": "IDENTITY"}}
    assert told.found.coverage == "complete"
