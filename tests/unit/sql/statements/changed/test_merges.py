"""MERGE: what each branch writes, and what decides about it."""

from __future__ import annotations

import pytest
from scripted import pairs, running, tree

from ingest.sql import extract
from ingest.sql.statements.changed.merges import merge


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("MATCHED THEN DELETE", {}),
        ("MATCHED AND t.c > u.e THEN UPDATE SET b = t.b + u.d", {"t": "t#a t#c u#a u#e", "t#b": "t#b u#d"}),
        ("NOT MATCHED THEN INSERT (b, a) VALUES (u.d, u.a)", {"t#a": "u#a", "t#b": "u#d"}),
        ("NOT MATCHED THEN INSERT VALUES (u.e, u.d, u.a)", {"t#a": "u#e", "t#b": "u#d", "t#c": "u#a"}),
        ("NOT MATCHED THEN INSERT *", {"t#a": "u#a"}),
    ],
)
def test_each_branch_of_a_merge_writes_its_own(when: str, expected: dict[str, str]) -> None:
    """The condition of the join decides in each; a star goes by names, values without names by position."""
    run = running("spark")
    done = merge(run, tree(run, f"MERGE INTO t USING u ON t.a = u.a WHEN {when}"))

    assert pairs(done.edges) == {"t": "t#a u#a", **expected}
    assert (done.kind, done.reads, done.writes) == ("merge", {"n:d.u"}, {"n:d.t"})


def test_conditions_of_oracles_merge_are_filters():
    """``UPDATE … WHERE`` and ``DELETE WHERE`` of a branch decide about rows of the target."""
    sql = (
        "MERGE INTO t USING s ON (t.a = s.a) WHEN MATCHED THEN UPDATE SET b = s.b WHERE s.c = 1 DELETE WHERE t.c = 2"
        " WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a) WHERE s.b > 0"
    )
    world = {"n:S": ("A", "B", "C"), "n:T": ("A", "B", "C")}
    found = extract(sql, dialect="oracle", namespace="n", columns=world)

    assert {"n:S#B", "n:S#C", "n:T#C"} == {edge.source for edge in found.edges if edge.subtype == "FILTER"}
    assert found.coverage == "complete"


def test_merge(lineage):
    """MERGE: both branches' values, the join condition and the branch conditions."""
    found = lineage(
        "MERGE INTO t USING (SELECT * FROM u) s ON t.a = s.a WHEN MATCHED AND s.e > 1 THEN UPDATE SET b = s.d "
        "WHEN NOT MATCHED THEN INSERT (a, c) VALUES (s.a, s.e)"
    )

    assert found.names("d.t") == {"a": "u#a", "b": "u#d", "c": "u#e"}
    assert found.decisions("d.t") == {"JOIN": "t#a u#a", "FILTER": "u#e"}


def test_merge_with_a_star(lineage):
    """UPDATE SET * and INSERT * take the source's columns by name."""
    found = lineage(
        "MERGE INTO t USING t2 ON t.a = t2.a WHEN MATCHED THEN UPDATE SET *", columns={"n:d.t2": ["a", "b"]}
    )

    assert found.names("d.t") == {"a": "t2#a", "b": "t2#b"}


SOURCE = "MERGE INTO t USING (SELECT a, b, x FROM far) s ON t.a = s.a WHEN"


@pytest.mark.parametrize("dialect", ["databricks", "spark"])
@pytest.mark.parametrize("branch", ["MATCHED THEN UPDATE SET * EXCEPT (X)", "NOT MATCHED THEN INSERT * EXCEPT (x, b)"])
def test_a_star_leaves_out_what_it_excepts(lineage, dialect, branch):
    """The list was ignored, and the answer was complete with an edge into a column that is not written."""
    result = lineage(f"{SOURCE.replace('INTO t', 'INTO o t')} {branch}", dialect=dialect)

    expected = {"a": "far#a"} if "b" in branch else {"a": "far#a", "b": "far#b"}
    assert (result.names("d.o"), result.found.coverage) == (expected, "complete")


def test_what_a_star_of_unknown_columns_excepts_is_in_its_edge(lineage):
    """As in that of any star."""
    result = lineage("MERGE INTO o USING far ON o.a = far.a WHEN MATCHED THEN UPDATE SET * EXCEPT (x)")

    assert [edge.expression for edge in result.found.edges if edge.target.endswith("*")] == ["* EXCEPT (x)"]


@pytest.mark.parametrize("dialect", ["databricks", "spark"])
@pytest.mark.parametrize("branch", ["MATCHED THEN UPDATE SET *", "NOT MATCHED THEN INSERT * EXCEPT (b)"])
def test_a_star_gives_the_target_no_column_that_it_does_not_have(lineage, dialect, branch):
    """Unless the statement, or an option that the script sets, lets it: a column of the target was made up."""
    world = {"n:d.t": ["a", "b"]}
    plain = f"{SOURCE} {branch}"
    evolving = [
        plain.replace("MERGE", "MERGE WITH SCHEMA EVOLUTION"),
        f"SET spark.databricks.delta.schema.autoMerge.enabled = true; {plain}",
    ]
    found = lineage(plain, dialect=dialect, columns=world)

    assert ("x" in found.names("d.t"), found.found.coverage) == (False, "complete")
    assert all(lineage(sql, dialect=dialect, columns=world).names("d.t")["x"] == "far#x" for sql in evolving)


@pytest.mark.parametrize("dialect", ["bigquery", "spark", "tsql"])
def test_a_branch_of_merge_sees_the_rows_that_are_there(lineage, dialect):
    """Not matched by the source: the target's alone; not matched at all: the source's."""
    sql = (
        "MERGE INTO t USING u ON t.a = u.a"
        " WHEN NOT MATCHED BY SOURCE AND a > 1 THEN UPDATE SET b = a"
        " WHEN NOT MATCHED AND a > 3 THEN INSERT (a, c) VALUES (a, e);"
    )
    result = lineage(sql, dialect=dialect)
    assert result.names("d.t") == {"a": "u#a", "b": "t#a", "c": "u#e"}
    assert result.decisions("d.t") == {"FILTER": "t#a u#a", "JOIN": "t#a u#a"}
    assert result.found.coverage == "complete"
    both = lineage("MERGE INTO t USING u ON t.a = u.a WHEN MATCHED AND a > 1 THEN UPDATE SET b = e", dialect=dialect)
    assert both.codes() == {"ambiguous-column"}


@pytest.mark.parametrize(
    "dialect", ["spark", "hive", "postgres", "duckdb", "trino", "databricks", "bigquery", "maxcompute", "tsql"]
)
def test_values_for_unknown_columns_are_called_as_their_sources(lineage, dialect):
    """Which columns they fill is not known, and each is reported; one without a name is called by its place."""
    sql = "MERGE INTO o USING u ON o.k = u.a WHEN NOT MATCHED THEN INSERT VALUES (u.a, u.d + 1, 1)"
    result = lineage(sql, dialect=dialect)

    names = result.names()
    assert names.pop("a") == "u#a"
    assert [*names.values()] == ["u#d"]
    assert "" not in names
    assert [problem.code for problem in result.found.problems] == ["unknown-columns"] * 2
    assert result.found.coverage == "partial"


def test_bigquerys_values_without_names_fill_the_target_by_place(lineage):
    """They are not the source's whole row."""
    sql = "MERGE INTO t USING u ON t.a = u.a WHEN NOT MATCHED THEN INSERT VALUES (u.e, DEFAULT, u.d)"
    result = lineage(sql, dialect="bigquery")

    assert result.names("d.t") == {"a": "u#e", "c": "u#d"}
    assert result.found.coverage == "complete"


def test_constants_for_unknown_columns_are_no_reason_for_doubt(lineage):
    """Nothing flows into any of them."""
    result = lineage("MERGE INTO o USING u ON o.k = u.a WHEN NOT MATCHED THEN INSERT VALUES (1, 'x')")

    assert (result.names(), result.found.coverage) == ({}, "complete")


def test_columns_of_using_join_the_target_to_the_source(lineage):
    """DuckDB's: one name for both, which is the target's in a matched row and the source's in another."""
    result = lineage(
        "MERGE INTO t USING u USING (a) WHEN MATCHED THEN UPDATE SET b = u.d, c = a"
        " WHEN NOT MATCHED THEN INSERT (a, b) VALUES (a, e)",
        dialect="duckdb",
    )

    assert result.decisions("d.t") == {"JOIN": "t#a u#a"}
    assert result.names("d.t") == {"a": "u#a", "b": "u#d u#e", "c": "t#a"}
    assert result.found.coverage == "complete"


def test_a_column_of_using_must_be_in_both(lineage):
    """DuckDB rejects others."""
    result = lineage("MERGE INTO t USING u USING (d) WHEN MATCHED THEN UPDATE SET b = u.e", dialect="duckdb")

    assert result.codes() == {"unknown-column"}


@pytest.mark.parametrize("dialect", ["spark", "databricks", "tsql", "bigquery", "duckdb"])
def test_a_star_may_come_without_set(dialect: str) -> None:
    """The parser makes of it the star alone, where it makes a list of every other UPDATE."""
    stars = ("UPDATE *", "UPDATE SET *")
    texts = [
        f"MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN {star} WHEN NOT MATCHED THEN INSERT *" for star in stars
    ]
    short, long = (extract(text, dialect=dialect, namespace="n", columns={"n:u": ("a", "b")}) for text in texts)

    assert {edge.target for edge in short.edges if edge.type == "DIRECT"} == {"n:t#a", "n:t#b"}
    assert (short.edges, short.coverage) == (long.edges, long.coverage)


@pytest.mark.parametrize("target", ["lft", "rght", "lef", "inne", "lift"])
@pytest.mark.parametrize("dialect", ["snowflake", "postgres", "spark", "oracle"])
def test_an_alias_like_a_word_of_joins_is_an_alias(dialect: str, target: str) -> None:
    """A MERGE has its condition after ON, so that none is meant by the alias."""
    sql = f"MERGE INTO t {target} USING u rgt ON {target}.a = rgt.a WHEN MATCHED THEN UPDATE SET b = rgt.d"
    found = extract(sql, dialect=dialect, namespace="n", default_database="d")

    assert (found.coverage, found.problems) == ("complete", ())
