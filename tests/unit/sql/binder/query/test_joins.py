"""Joins: what they compare, and the columns that USING and NATURAL make one."""

from __future__ import annotations

import pytest
from bound import Bound, listed, sources
from sqlglot import exp

from ingest.sql.binder.query.joins import Joins


def _joined(sql: str, dialect: str = "spark") -> Bound:
    """A FROM clause whose joins were joined one after the other."""
    bound = Bound("", dialect)
    select = bound.tree(f"SELECT 1 FROM {sql}")
    joins = Joins(bound.walk)
    bound.walk.sources.bring(select.args["from_"].this, bound.scope)
    for join in select.args["joins"]:
        joins.join(join, bound.scope)
    return bound


def _star(bound: Bound) -> str:
    return " ".join(column.name for column in bound.walk.stars.expand(exp.Star(), bound.scope))


def test_what_is_compared_decides_about_the_rows() -> None:
    """On either side, in ON as in USING; a cross join compares nothing."""
    assert _joined("t JOIN u ON t.a = u.d AND t.b > 1").decisions() == {"t#a": "JOIN", "u#d": "JOIN", "t#b": "JOIN"}
    assert _joined("t JOIN u USING (a)").decisions() == {"t#a": "JOIN", "u#a": "JOIN"}
    assert _joined("t CROSS JOIN u").decisions() == {}
    assert _joined("t ASOF JOIN u MATCH_CONDITION (t.b >= u.d)", "snowflake").decisions() != {}


@pytest.mark.parametrize(
    ("join", "a", "text"),
    [("JOIN", "t#a", "d.t.a"), ("LEFT JOIN", "t#a", "d.t.a"), ("RIGHT JOIN", "u#a", "d.u.a"),
     ("FULL JOIN", "t#a u#a", "COALESCE(d.t.a, d.u.a)")],
)  # fmt: skip
def test_the_column_of_using_is_of_the_side_that_has_all_rows(join: str, a: str, text: str) -> None:
    """Of a full join it is the first that is not NULL."""
    bound = _joined(f"t {join} u USING (A)")
    column = bound.scope.merged["a"]

    assert (sources(column), column.text) == (a, text)
    assert _star(bound).lower() == "a b c d e"


def test_three_tables_with_one_column_have_it_once() -> None:
    """The second USING compares what the first made one."""
    bound = _joined("t JOIN u USING (a) FULL JOIN (SELECT a, 1 AS z FROM t) q USING (a)")

    assert _star(bound) == "a b c d e z"
    assert sources(bound.scope.merged["a"]) == "t#a"


def test_the_column_of_using_is_of_the_first_source_that_is_known_to_have_it() -> None:
    """Those beside it keep all their columns."""
    bound = _joined("t CROSS JOIN nowhere JOIN u USING (a)")

    assert [sorted(source.merged) for source in bound.scope.sources] == [["a"], [], ["a"]]
    assert sources(bound.scope.merged["a"]) == "t#a"


def test_natural_joins_on_the_names_of_both_sides() -> None:
    """In the order of the left side; where there is none it joins every row to every row."""
    bound = _joined("(SELECT b, a, c AS d FROM t) q NATURAL JOIN u")

    assert (_star(bound), bound.problems()) == ("a d b e", [])
    assert bound.decisions() == {"t#a": "JOIN", "u#a": "JOIN", "t#c": "JOIN", "u#d": "JOIN"}
    assert _joined("t NATURAL JOIN w").decisions() == {}


def test_natural_of_unknown_columns_is_reported() -> None:
    """All columns of both sides count then."""
    bound = _joined("t NATURAL JOIN nowhere")

    assert ("unknown-columns", "nowhere") in bound.problems()
    assert bound.walk.catalog.starred == {"n:d.t", "n:d.nowhere"}


def test_a_column_of_using_that_no_side_has_is_reported() -> None:
    """One that several unknown tables of a side may have is not guessed, and one that a single one may have is its."""
    lacking = _joined("t JOIN u USING (zz)")
    assert lacking.problems() == [("unknown-column", "zz")] * 2, "each side"
    assert sources(lacking.scope.merged["zz"]) == ""

    assert _joined("some JOIN other ON true JOIN u USING (a)").problems() == [("ambiguous-column", "a")]
    certain = _joined("some JOIN u USING (a)")
    assert (sources(certain.scope.merged["a"]), certain.problems()) == ("some#a", [])
    assert sources(_joined("some JOIN t USING (a)").scope.merged["a"]) == "some#a"


@pytest.mark.parametrize("kind", ["LEFT SEMI", "LEFT ANTI"])
def test_only_whether_a_row_matches_counts_in_a_semi_join(kind: str) -> None:
    """Its right side is not in sight any more, by a star or by its name, but decides."""
    bound = _joined(f"t {kind} JOIN u ON t.a = u.d")

    assert _star(bound) == "a b c"
    assert list(bound.scope.by_alias) == ["t"]
    assert bound.decisions() == {"t#a": "JOIN", "u#d": "JOIN"}


@pytest.mark.parametrize(
    ("dialect", "joined", "star"),
    [("spark", "w, t JOIN u USING (a)", "a x y arr st b c d e"),
     ("trino", "w, t JOIN u USING (a)", "x y arr st a b c d e"),
     ("postgres", "t, u NATURAL JOIN (SELECT 1 AS b, 2 AS d) q", "a b c d a e b")],
)  # fmt: skip
def test_a_comma_is_weaker_than_a_join_but_in_spark(dialect: str, joined: str, star: str) -> None:
    """What stands before a comma is not joined by the JOIN after it."""
    assert _star(_joined(joined, dialect)) == star


@pytest.mark.parametrize(
    ("joined", "doubted"),
    [("t usng JOIN u", "usng"), ("t JOIN u usin", "usin"), ("t JOIN u naturl ON true", "naturl"), ("t x JOIN u y", ""),
     ("t JOIN u usng ON t.a = usng.a", "")],
)  # fmt: skip
def test_an_alias_that_is_nearly_a_word_about_the_join_is_reported(joined: str, doubted: str) -> None:
    """Of a join without a condition: with one, the alias is an alias."""
    assert [subject for code, subject in _joined(joined).problems() if code == "syntax"] == (
        [doubted] if doubted else []
    )


def test_the_elements_of_a_joined_array_are_under_its_name_or_an_alias() -> None:
    """ClickHouse's ARRAY JOIN: what was joined goes before the column itself."""
    bound = _joined("w ARRAY JOIN arr AS e, st", "clickhouse")

    assert {name: sources(column) for name, column in bound.scope.merged.items()} == {"e": "w#arr", "st": "w#st"}
    assert listed([bound.column("e"), bound.column("st")]) == [("z", "w#arr"), ("z", "w#st")]


@pytest.mark.parametrize(
    ("join", "a"),
    [
        ("JOIN", "t#a"),
        ("LEFT JOIN", "t#a"),
        ("RIGHT JOIN", "u#a"),
        ("FULL JOIN", "t#a u#a"),
    ],
)
def test_using_reads_the_side_that_has_all_rows(lineage, join, a):
    """The column of USING is the left one, the right one of a right join, both of a full join; a star has it once."""
    found = lineage(f"INSERT INTO o (o1, o2, o3, o4, o5) SELECT * FROM t {join} u USING (a)")

    assert {"o1": a, "o2": "t#b", "o3": "t#c", "o4": "u#d", "o5": "u#e"} == found.names()


def test_natural_joins_on_the_common_names(lineage):
    """NATURAL is USING over the names that both sides have."""
    assert lineage("SELECT * FROM t NATURAL JOIN u").names() == {
        "a": "t#a",
        "b": "t#b",
        "c": "t#c",
        "d": "u#d",
        "e": "u#e",
    }


def test_a_side_of_using_can_still_be_named(lineage):
    """With the table's name in front, each side's own column is meant."""
    assert lineage("SELECT t.a AS x, u.a AS y FROM t FULL JOIN u USING (a)").names() == {"x": "t#a", "y": "u#a"}


def test_a_semi_join_hides_its_right_side(lineage):
    """A star over a semi join holds the left side alone."""
    assert lineage("SELECT * FROM t LEFT SEMI JOIN u ON t.a = u.a").names() == {"a": "t#a", "b": "t#b", "c": "t#c"}


NEEDED = ["postgres", "redshift", "duckdb", "trino", "athena", "mysql", "tsql", "oracle"]


@pytest.mark.parametrize("dialect", NEEDED)
@pytest.mark.parametrize("join", ["LEFT JOIN u", "RIGHT OUTER JOIN u", "FULL JOIN (SELECT d FROM u) q"])
def test_an_outer_join_without_a_condition_is_reported(join: str, dialect: str) -> None:
    """These engines do not read it."""
    assert [code for code, _ in _joined(f"t {join}", dialect).problems()] == ["syntax"]


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("t LEFT JOIN u", "spark"),
        ("t LEFT JOIN u", "sqlite"),
        ("t LEFT JOIN u ON TRUE", "postgres"),
        ("t LEFT JOIN u USING (a)", "trino"),
        ("t NATURAL LEFT JOIN u", "duckdb"),
        ("t LEFT JOIN unnest(t.b) AS x ON TRUE", "postgres"),
        ("t LEFT JOIN u LEFT JOIN v ON u.d = v.g ON t.a = u.d", "postgres"),
        ("t CROSS JOIN u", "postgres"),
        ("t, u", "postgres"),
        ("t OUTER APPLY (SELECT d FROM u WHERE u.d = t.a) q", "tsql"),
        ("t ASOF LEFT JOIN u USING (a)", "duckdb"),
    ],
)
def test_other_joins_may_have_none(sql: str, dialect: str) -> None:
    """Those of other engines, those with another condition, and those that need none."""
    assert [code for code, _ in _joined(sql, dialect).problems() if code == "syntax"] == []


@pytest.mark.parametrize("dialect", ["snowflake", "oracle"])
@pytest.mark.parametrize("given", ["far JOIN t USING (id)", "t JOIN far USING (id)", "far JOIN further USING (id)"])
def test_using_spells_its_names_as_the_dialect_compares_them(given: str, dialect: str) -> None:
    """Where one side or both have columns that are not known, the name is the column in upper case."""
    columns = {"n:d.T": ("ID", "K"), "n:D.T": ("ID", "K")}
    bound = Bound(given, dialect, columns)

    assert {name.partition("#")[2] for name in bound.decisions()} == {"ID"}
    assert bound.scope.merged["id"].name == "ID"


def test_using_keeps_the_case_of_a_quoted_name() -> None:
    """Beside it the other column of the name is apart."""
    bound = Bound('far JOIN t USING ("Id")', "snowflake", {"n:d.T": ("ID", "Id")})

    assert set(bound.decisions()) == {"FAR#Id", "T#Id"}


NESTED = {"n:d.t": ("a", "n.k", "n.v", "arr")}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("SELECT a, n.k, n.v FROM t ARRAY JOIN n", {"a": "t#a", "k": "t#n.k", "v": "t#n.v"}),
        ("SELECT q.k, q.v FROM t ARRAY JOIN n AS q", {"k": "t#n.k", "v": "t#n.v"}),
        ("SELECT k FROM t LEFT ARRAY JOIN n.k AS k", {"k": "t#n.k"}),
        ("SELECT * FROM t ARRAY JOIN n", {"a": "t#a", "n.k": "t#n.k", "n.v": "t#n.v", "arr": "t#arr"}),
        ("SELECT * EXCEPT (a, arr, `n.k`, `n.v`) FROM t ARRAY JOIN n AS q", {"q.k": "t#n.k", "q.v": "t#n.v"}),
    ],
)
def test_an_array_join_may_name_the_columns_of_one_nested_by_what_is_before_their_dot(lineage, query, names):
    """ClickHouse keeps ``n Nested(k, v)`` as two columns; ``n`` was reported as a column that is not known."""
    told = lineage(query, dialect="clickhouse", columns=NESTED)
    assert told.names() == names
    assert told.found.coverage == "complete"


def test_an_array_join_of_a_column_that_is_not_there_is_reported(lineage):
    """Of the columns that begin so some must have a dot after it."""
    assert lineage("SELECT a FROM t ARRAY JOIN ar", dialect="clickhouse", columns=NESTED).codes() == {"unknown-column"}
