"""One job from text to lineage: guard, then templates, then the extractor."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ingest.sql import Extraction
from ingest.sql.jobs import ExtractionJob
from ingest.sql.statements.templated import extract_guarded, settings_of
from ingest.sql.text.limits import Limits

OPEN = {"n:s": ("a", "b", "c"), "n:t": ("a", "b", "c")}
TABLES = {"n:d.t": ("a", "b", "c"), "n:d.u": ("a", "d", "e")}
NOTHING: Mapping[str, str] = {}


def read(sql: str, dialect: str = "hive", target: str | None = None, params: Mapping[str, str] = NOTHING) -> Extraction:
    """Return what one job says over t(a, b, c) and u(a, d, e)."""
    return extract_guarded(ExtractionJob(sql, dialect, "n", "d", target, params, TABLES))


def pairs(found: Extraction) -> set[tuple[str, str]]:
    """Return source and target of each edge, without namespace and database."""
    return {(edge.source.removeprefix("n:d."), edge.target.removeprefix("n:d.")) for edge in found.edges}


@pytest.mark.parametrize("target", ["n:d.o", "d.o", "o", "O"])
def test_a_target_may_be_a_name_alone(target: str) -> None:
    """It is spelled as the dialect spells names, in the default database."""
    found = read("SELECT a FROM t", target=target)

    assert (pairs(found), found.outputs) == ({("t#a", "o#a")}, (("n:d.o", ("a",)),))


def test_the_target_is_what_a_template_calls_this() -> None:
    """dbt's ``{{ this }}`` reads what the model itself made before."""
    assert pairs(read("SELECT a FROM {{ this }}", "spark", "o")) == {("o#a", "o#a")}


def test_a_parameter_is_put_in_its_place_and_one_without_a_value_is_named() -> None:
    """Inside of a literal no value is needed: nothing of the lineage depends on it."""
    sql = "INSERT INTO o SELECT ${x} FROM t"
    unknown = read(sql)

    assert (pairs(read(sql, params={"x": "b"})), read(sql, params={"x": "b"}).coverage) == (
        {("t#b", "o#b")},
        "complete",
    )
    assert (unknown.coverage, [(p.code, p.detail) for p in unknown.problems]) == (
        "partial", [("template", "no value for x")]
    )  # fmt: skip
    assert read("INSERT INTO o SELECT a FROM t WHERE b = '${x}'").coverage == "complete"


def test_many_names_without_a_value_are_cut() -> None:
    """Eight are named."""
    (problem,) = read("INSERT INTO o SELECT " + ", ".join(f"${{v{n}}}" for n in range(12)) + " FROM t").problems[-1:]

    assert problem.detail == f"no value for {', '.join(f'v{n}' for n in range(8))}, …"


def test_each_branch_of_a_template_counts() -> None:
    """What any of them does is reported; columns of a table only where all branches make the same."""
    two = "{{% if x %}}{}{{% else %}}{}{{% endif %}}"
    rows = read("INSERT INTO o " + two.format("SELECT a FROM t", "SELECT d AS a FROM u"), "spark")
    made = read(two.format("CREATE TABLE k AS SELECT a FROM t", "CREATE TABLE k AS SELECT a, b FROM t")
                + "; CREATE TABLE j AS SELECT c FROM t", "spark")  # fmt: skip

    assert (pairs(rows), rows.reads, rows.coverage) == (
        {("t#a", "o#a"), ("u#d", "o#a")}, ("n:d.t", "n:d.u"), "partial"
    )  # fmt: skip
    assert pairs(made) == {("t#a", "k#a"), ("t#b", "k#b"), ("t#c", "j#c")}
    assert (made.outputs, made.writes) == ((("n:d.j", ("c",)),), ("n:d.j", "n:d.k"))


def test_a_place_in_a_text_is_that_of_the_text_as_written() -> None:
    """Whatever takes the place of a parameter is longer or shorter."""
    sql = "INSERT INTO o\nSELECT ${x}, ) FROM t"
    (problem,) = (p for p in read(sql, params={"x": "a + b + c"}).problems if p.code == "syntax")

    assert (problem.line, problem.column) == (2, sql.splitlines()[1].index(")") + 1)


def test_a_parameters_value_is_guarded_as_the_text_is() -> None:
    """It may hold anything."""
    deep = read("SELECT ${x} FROM t", params={"x": "(" * 500 + "a" + ")" * 500})

    assert (deep.edges, deep.coverage, [problem.code for problem in deep.problems]) == ((), "opaque", ["too-nested"])


def test_a_text_beyond_the_limits_is_not_parsed() -> None:
    """The guard's problem is the answer."""
    found = extract_guarded(ExtractionJob("SELECT a FROM t", "hive", "n"), Limits(tokens=3))

    assert (found.coverage, len(found.problems), found.reads) == ("opaque", 1, ())


def test_an_unknown_dialect_with_a_target_is_a_problem() -> None:
    """The target cannot be spelled either."""
    found = read("SELECT a FROM t", "klingon", "o")

    assert [problem.code for problem in found.problems] == ["unsupported-dialect"]


@pytest.mark.parametrize(
    ("sql", "dialect", "expected"),
    [
        ("set hivevar:Day = 1 ;\n-- why\nset x.y=z\n; ${Day}", "hive", {"day": "1", "x.y": "z"}),
        ("SET hiveconf:x=1; set x=2; ${x}", "spark", {"x": "2"}),
        ("set x=${y}; ${x}", "hive", {}),
        ("set x=1", "hive", {}),
        ("set x=1; ${x}", "postgres", {}),
        ("select 1 set x=1; ${x}", "hive", {}),
        (f"set x={'y' * 1001}; ${{x}}", "hive", {}),
        (f"set x={'y' * 1000}; ${{x}}", "hive", {"x": "y" * 1000}),
    ],
)
def test_what_a_text_sets_for_itself(sql: str, dialect: str, expected: dict[str, str]) -> None:
    """The last value counts, one that depends on another or is very long does not; other dialects set no settings."""
    assert settings_of(sql, dialect) == expected


def test_settings_of_a_text_are_used_by_it():
    """Hive puts what SET says in the place of ``${hivevar:x}``, ``${hiveconf:x}`` and ``${x}``; what is given wins."""
    sql = "SET hivevar:src=s;\nSET hiveconf:dst = t;\nINSERT INTO ${hiveconf:dst} SELECT a, b, c FROM ${hivevar:src}"
    found = extract_guarded(ExtractionJob(sql, "hive", "n", columns=OPEN))
    given = extract_guarded(ExtractionJob(sql, "hive", "n", params={"src": "k"}, columns=OPEN))

    assert {("n:s#a", "n:t#a"), ("n:s#b", "n:t#b"), ("n:s#c", "n:t#c")} == {(e.source, e.target) for e in found.edges}
    assert found.coverage == "complete"
    assert given.reads == ("n:k",)


@pytest.mark.parametrize(
    "sql",
    ["DELETE FROM t {{ where }}", "UPDATE t SET a = 1 {{ cond }}", "DELETE FROM {{ t }}{{ w }}",
     "DELETE FROM t {% if x %} WHERE a = 1 {% endif %}"],
)  # fmt: skip
def test_a_part_of_a_template_may_be_the_where_that_a_change_needs(sql: str) -> None:
    """BigQuery's; a change without parts is reported."""
    found = read(sql, "bigquery")

    assert ({problem.code for problem in found.problems}, found.coverage) == ({"template"}, "partial")
    plain = read("DELETE FROM t {{ where }}", "bigquery", params={"where": ""})
    assert [problem.code for problem in plain.problems] == ["syntax"]


@pytest.mark.parametrize("dialect", ["snowflake", "bigquery", "duckdb", "databricks"])
@pytest.mark.parametrize(
    "sql",
    ["SELECT a FROM t QUALIFY {{ dedup }}", "SELECT a, {{ rn }} AS rn FROM t QUALIFY rn = 1",
     "SELECT a, ${rn} AS rn FROM t QUALIFY rn = 1"],
)  # fmt: skip
def test_a_part_of_a_template_may_be_the_window_that_qualify_needs(dialect: str, sql: str) -> None:
    """In QUALIFY or in the select list; a value that is given is looked at."""
    assert {problem.code for problem in read(sql, dialect, target="o").problems} <= {"template", "unknown-columns"}
    given = read(sql, dialect, target="o", params={"dedup": "a = 1", "rn": "b"})
    assert "syntax" in {problem.code for problem in given.problems}


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [("bigquery", "CREATE TABLE x AS SELECT {{ cols }} FROM t"),
     ("bigquery", "CREATE TABLE x AS SELECT ${cols} FROM t"),
     ("bigquery", "CREATE TABLE x AS SELECT * EXCEPT (a), {{ cols }} FROM t"),
     ("trino", "CREATE TABLE x AS SELECT a, {{ cols }} FROM t"),
     ("snowflake", "CREATE TABLE x AS SELECT {{ c }}(a), {{ dbt_utils.star(r) }} FROM t")],
)  # fmt: skip
def test_a_part_of_a_template_may_name_the_columns_that_it_gives(dialect: str, sql: str) -> None:
    """Such an item is not one without a name; a value that is given is looked at."""
    assert "unnamed-column" not in {problem.code for problem in read(sql, dialect).problems}
    given = read("CREATE TABLE x AS SELECT {{ cols }} FROM t", "bigquery", params={"cols": "a + 1"})
    assert "unnamed-column" in {problem.code for problem in given.problems}
