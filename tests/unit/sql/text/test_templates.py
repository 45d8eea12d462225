"""Template parts are made harmless by where they stand, line for line, and nothing in them is run."""

from __future__ import annotations

import gzip
import json
import random
import time
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp

from ingest.sql import extract
from ingest.sql.jobs import ExtractionJob
from ingest.sql.text.templates import MAX_INSERTED, neutralise
from ingest.workers.work import run_job


@pytest.mark.parametrize(
    ("dialect", "sql", "expected", "unknown"),
    [
        ("hive", "SELECT a FROM db_${env}.t", "SELECT a FROM `db_${env}`.t", ("env",)),
        ("hive", "SELECT a FROM ${hiveconf:db}.t", "SELECT a FROM `${hiveconf:db}`.t", ("hiveconf:db",)),
        ("hive", "SELECT a FROM t_$[yyyyMMdd-2]", "SELECT a FROM `t_${yyyyMMdd-2}`", ("yyyyMMdd-2",)),
        ("hive", "SELECT a FROM t WHERE d = $[yyyyMMdd-2]", "SELECT a FROM t WHERE d =  NULL ", ()),
        ("hive", "SELECT a FROM t WHERE d > $DAY", "SELECT a FROM t WHERE d >  NULL ", ("DAY",)),
        ("hive", "SELECT a FROM t WHERE d = '${day}'", "SELECT a FROM t WHERE d = '${day}'", ()),
        ("hive", "SELECT a FROM t -- ${day} {{ x }}", "SELECT a FROM t -- ${day} {{ x }}", ()),
        ("hive", "SELECT a FROM t WHERE b IN ${list}", "SELECT a FROM t WHERE b IN (NULL)", ("list",)),
        ("bigquery", "SELECT a FROM `d.t${{ ds }}`", "SELECT a FROM `d.t${{ds}}`", ("ds",)),
        (
            "bigquery",
            "SELECT a FROM d.t_{{ ds }} WHERE b > '${{ x }}'",
            "SELECT a FROM d.`t_{{ds}}` WHERE b > '${{ x }}'",
            ("ds",),
        ),
        ("bigquery", "SELECT a FROM `p.{{ d.s }}.t`", "SELECT a FROM `p.{{d_s}}.t`", ("d.s",)),
        ("bigquery", "SELECT {{ x }}_total FROM t", "SELECT `{{x}}_total` FROM t", ("x",)),
        ("bigquery", "SELECT a FROM t, {{ u }}", "SELECT a FROM t, `{{u}}`", ("u",)),
        ("bigquery", "SELECT a FROM t {{ rest }}", "SELECT a FROM t  ", ("rest",)),
        ("trino", "SELECT CAST(a AS {{ t }}) FROM u", "SELECT CAST(a AS  INT ) FROM u", ("t",)),
        ("trino", "SELECT a FROM ({{ q }}) x", "SELECT a FROM ( SELECT NULL ) x", ("q",)),
        ("postgres", "SELECT a FROM {{ t }}", 'SELECT a FROM "{{t}}"', ("t",)),
        ("postgres", "SELECT a::int, :p, ? FROM t WHERE b = $1", "SELECT a::int, :p, ? FROM t WHERE b = $1", ()),
        ("postgres", "SELECT a FROM t WHERE b = :1", "SELECT a FROM t WHERE b =  NULL ", ()),
        ("bigquery", "SELECT @day, @@x.y", "SELECT @day, @@x.y", ()),
        ("oracle", "SELECT a FROM v$session", "SELECT a FROM v$session", ()),
        ("tsql", "SELECT @a FROM @t", "SELECT @a FROM @t", ()),
    ],
)
def test_a_part_becomes_what_its_place_asks_for(
    dialect: str, sql: str, expected: str, unknown: tuple[str, ...]
) -> None:
    """A name stays readable as a quoted name, a value is NULL, a piece of a clause goes, a string stays a string."""
    neutral = neutralise(sql, dialect=dialect)

    assert neutral.text == expected
    assert neutral.unknown == unknown
    sqlglot.parse_one(neutral.text, dialect=dialect)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT a FROM ${hivevar:db}.t", "SELECT a FROM dw.t"),
        ("SELECT a FROM ${db}.t_$DAY", "SELECT a FROM dw.t_20260101"),
        ("SELECT a FROM {{ db }}.t WHERE d = '{{ DAY }}'", "SELECT a FROM dw.t WHERE d = '20260101'"),
        ("SELECT a FROM {{ params.db }}.t", "SELECT a FROM dw.t"),
        ("SELECT a FROM {{ var('db') }}.t", "SELECT a FROM dw.t"),
        ("SELECT a FROM t WHERE n = :who", "SELECT a FROM t WHERE n = 'O''Brien'"),
    ],
)
def test_given_values_stand_in(sql: str, expected: str) -> None:
    """A parameter's value is where the part stood, and the part is known."""
    neutral = neutralise(sql, {"db": "dw", "DAY": "20260101", "who": "O'Brien"}, dialect="hive")

    assert neutral.text == expected
    assert neutral.unknown == ()


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("{{ config(materialized='table') }}\nSELECT a FROM {{ ref('o') }}", "\nSELECT a FROM o"),
        ("SELECT a FROM {{ ref('pkg', 'o') }}", "SELECT a FROM o"),
        ("SELECT a FROM {{ source('raw', \"u\") }}", "SELECT a FROM raw.u"),
        ("SELECT a FROM {{ this }}", "SELECT a FROM me.t"),
        ("{% set n = 7 %}SELECT a FROM t WHERE b > {{ n }}", " SELECT a FROM t WHERE b > 7"),
        ("SELECT {% raw %}'{{ x }}'{% endraw %} FROM t", "SELECT  '{{ x }}'  FROM t"),
        ("SELECT a{% for x in y %}, b{{ ',' if not loop.last }}{% endfor %}", "SELECT a , b "),
    ],
)
def test_dbt_and_constants_are_read_without_running_anything(sql: str, expected: str) -> None:
    """dbt's ref, source, this and config, constants, raw blocks and loop separators have one plain meaning."""
    neutral = neutralise(sql, dialect="bigquery", this="me.t")

    assert neutral.text == expected
    assert neutral.unknown == ()


IF = "SELECT a FROM {% if is_init() %} first_t {% elif x %} second_t {% else %} last_t {% endif %} AS t"


@pytest.mark.parametrize(("branch", "table"), [(0, "first_t"), (1, "second_t"), (2, "last_t"), (9, "last_t")])
def test_one_branch_of_a_condition_stands(branch: int, table: str) -> None:
    """With an else, the branch asked for is alone; the condition is an unknown part."""
    neutral = neutralise(IF, dialect="bigquery", branch=branch)

    assert [t.name for t in sqlglot.parse_one(neutral.text, dialect="bigquery").find_all(exp.Table)] == [table]
    assert neutral.branches == 3
    assert neutral.unknown == ("is_init()",)


def test_a_job_has_the_edges_of_every_branch_and_says_that_it_is_partial() -> None:
    """The extraction of a text with conditions holds what any branch reads, as partial with the condition named."""
    job = ExtractionJob(IF, "bigquery", "bq", "p.d", "bq:p.d.out", columns={"bq:p.d.first_t": ("a",)})

    extraction = run_job(job)

    assert {f"bq:p.d.{name}" for name in ("first_t", "second_t", "last_t")} <= set(extraction.reads)
    assert extraction.coverage == "partial"
    assert [p.detail for p in extraction.problems if p.code == "template"] == ["no value for is_init()"]


def test_a_known_value_leaves_the_extraction_as_it_is() -> None:
    """With every value given, a template's lineage equals that of the text with the values in it, coverage included."""
    columns = {"h:dw.s": ("a", "ds"), "h:dw.o": ("a",)}
    sql = "INSERT OVERWRITE TABLE ${db}.o SELECT a FROM ${db}.s WHERE ds = '${day}'"

    templated = run_job(ExtractionJob(sql, "hive", "h", "dw", None, {"db": "dw"}, columns))
    plain = extract(sql.replace("${db}", "dw"), dialect="hive", namespace="h", default_database="dw", columns=columns)

    assert templated.edges
    assert (templated.edges, templated.coverage) == (plain.edges, plain.coverage)


def test_nothing_is_executed(tmp_path: Path) -> None:
    """An expression that would write a file if anybody ran it writes none."""
    flag = tmp_path / "ran"
    sql = f"SELECT {{{{ ''.__class__.__mro__[1].__subclasses__() or open('{flag}','w') }}}}, ${{system:`touch {flag}`}}"

    neutral = neutralise(sql, dialect="hive")

    assert len(neutral.unknown) == 2
    assert not flag.exists()


def test_a_hostile_value_is_looked_at_too() -> None:
    """The guard sees the text after the values were put in."""
    job = ExtractionJob("SELECT ${x} FROM t", "hive", "h", "d", None, {"x": "(" * 5_000 + "1" + ")" * 5_000})

    assert [p.code for p in run_job(job).problems] == ["too-nested"]


@pytest.mark.long
def test_the_real_templates_parse_in_every_branch_and_keep_their_lines(shared_dir: Path) -> None:
    """All 222 templated texts of the real stream parse once neutral, whichever branch stands, line for line."""
    failed, count = [], 0
    for path in sorted((shared_dir / "data/bqetl_stream").glob("messages-*.jsonl.gz")):
        with gzip.open(path, "rt") as lines:
            texts = [m["sql"] for m in map(json.loads, lines) if m["templated"]]
        for sql in texts:
            count += 1
            for branch in range(neutralise(sql, dialect="bigquery").branches):
                neutral = neutralise(sql, dialect="bigquery", branch=branch)
                assert neutral.text.count("\n") == sql.count("\n")
                try:
                    sqlglot.parse(neutral.text, dialect="bigquery")
                except sqlglot.errors.SqlglotError as error:
                    failed.append((sql[:60], branch, str(error)[:80]))
    assert (count, failed) == (222, [])


PIECES = [
    "{{ x }}",
    "{% if a %}",
    "{% else %}",
    "{% endif %}",
    "{% for a in b %}",
    "{% endfor %}",
    "${x}",
    "$[d]",
    "$X",
    ":p",
]
PIECES += [
    "'",
    '"',
    "`",
    "{{",
    "}}",
    "{%",
    "%}",
    "(",
    ")",
    " ",
    "\n",
    "a",
    "FROM",
    ",",
    "--",
    "/*",
    "*/",
    "{#",
    "#}",
    "?",
    "@v",
]


def test_any_mixture_of_pieces_is_survived_with_its_lines() -> None:
    """Random mixtures of template signs and SQL never raise and keep their number of lines."""
    seed = 4_242
    print(f"seed {seed}")
    chance = random.Random(seed)
    for _ in range(4_000):
        sql = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 14)))
        for dialect in ("bigquery", "postgres"):
            assert neutralise(sql, {"x": "1\n2"}, dialect=dialect).text.count("\n") == sql.count("\n"), sql


@pytest.mark.parametrize(
    ("condition", "value", "stands"),
    [("is_init()", "false", "b"), ("is_init()", "true", "a"), ("not is_init()", "false", "a"), ("full", "no", "b")],
)
def test_a_condition_whose_value_is_given_takes_its_branch(condition: str, value: str, stands: str) -> None:
    """An if with a given value is no doubt: one branch stands, and nothing is marked."""
    name = condition.removeprefix("not ")
    found = neutralise(f"SELECT {{% if {condition} %}}a{{% else %}}b{{% endif %}} FROM t", {name: value})

    assert found.text.split() == ["SELECT", stands, "FROM", "t"]
    assert not found.unknown


def test_a_value_that_is_named_often_does_not_fill_the_memory() -> None:
    """Ten thousand parts of a value of 100 kB would be a text of 1 GB; beyond a bound parts count as not given."""
    found = neutralise(f"SELECT {'${a}, ' * 10_000} 1 FROM t", {"a": f"'{'x' * 100_000}'"}, dialect="hive")

    assert len(found.text) < 2 * MAX_INSERTED
    assert len(found.unknown) == 1


@pytest.mark.parametrize(
    ("sql", "unknown"),
    [
        ("SET lim = 5; SELECT a FROM t WHERE b = $lim", ()),
        ("SET (p, q) = (1, 2);\n-- so\nSET r = 3; SELECT $p, $Q, $r, $s", ("s",)),
        ("SELECT $lim; SET lim = 5", ()),
        ("UPDATE t\nSET x = $x", ("x",)),
    ],
)
def test_a_session_variable_that_the_text_sets_is_no_template_part(sql: str, unknown: tuple[str, ...]) -> None:
    """Snowflake's ``SET`` at the start of a statement; the SET of an UPDATE names columns."""
    assert neutralise(sql, dialect="snowflake").unknown == unknown
    assert neutralise("SET lim = 5; SELECT $lim", dialect="hive").unknown == ("lim",)


def test_a_value_that_is_given_goes_before_what_the_text_sets() -> None:
    """The platform replaces the name before the engine sees it."""
    text = "SET lim = 5; SELECT a FROM t WHERE b = $lim"

    assert neutralise(text, {"lim": "7"}, dialect="snowflake").text == text.replace("$lim", "7")


@pytest.mark.parametrize(
    ("dialect", "sql", "is_part"),
    [
        ("snowflake", "SELECT a INTO :v FROM t", False),
        ("teradata", "SELECT max(a)\nINTO :v, :w FROM t", False),
        ("snowflake", "INSERT INTO :v SELECT a FROM t", True),
        ("snowflake", "INSERT ALL INTO :v SELECT a FROM t", True),
        ("postgres", "SELECT a INTO :v FROM t", True),
    ],
)
def test_a_colon_after_into_of_a_query_is_that_of_a_variable(dialect: str, sql: str, is_part: bool) -> None:
    """Where the dialect writes variables so; after INSERT INTO it is a table's name."""
    assert (neutralise(sql, dialect=dialect).text != sql) is is_part


def test_what_a_text_sets_is_found_in_time_that_grows_with_it() -> None:
    """Each semicolon in a comment began the search again, through all the comments after it."""
    sql = "set a = 1;\n" + "--;\n" * 100_000 + "set (b, c) = (2, 3); -- ; set no = 1\nselect $a, $c, $no from t"
    begun = time.thread_time()
    found = neutralise(sql, dialect="snowflake")
    assert time.thread_time() - begun < 3.0  # it takes about 0.1 s; anything quadratic would take minutes
    assert found.unknown == ("no",)
