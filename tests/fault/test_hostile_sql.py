"""Hostile SQL in messages (fault catalogue Q01 to Q08): refused or labelled, the next message unaffected."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from ingest.sql import Extraction
from ingest.sql.jobs import ExtractionJob
from ingest.sql.text.limits import DEFAULT_LIMITS
from ingest.sql.text.redact import mask_literals
from ingest.workers.pool import ExtractionPool
from ingest.workers.work import run_job

GOOD = "INSERT INTO o SELECT a FROM s"
COLUMNS = {"h:dw.s": ("a", "b"), "h:dw.o": ("a",)}


def job(sql: str, dialect: str = "hive") -> ExtractionJob:
    """A job that writes dw.o, with the columns of dw.s known."""
    return ExtractionJob(sql, dialect, "h", "dw", "h:dw.o", columns=COLUMNS)


def is_labelled(extraction: Extraction) -> bool:
    """Complete, or with a reason."""
    return extraction.coverage == "complete" or bool(extraction.problems)


def edges(extraction: Extraction) -> list[tuple[str, str]]:
    """The edges' two ends."""
    return [(edge.source, edge.target) for edge in extraction.edges]


@pytest.fixture(scope="module")
def pool() -> Iterator[ExtractionPool]:
    """Two workers with the real extractor and ten seconds a job."""
    with ExtractionPool(2, time_limit=10.0) as extracting:
        extracting.start(2)
        yield extracting


def extract_between_good_ones(pool: ExtractionPool, sql: str, dialect: str = "hive") -> Extraction:
    """Extract a text with a good one on either side, and see the good ones unaffected."""
    before, hostile, after = pool.map([job(GOOD), job(sql, dialect), job(GOOD + " -- after")])
    for good in (before, after):
        assert edges(good) == [("h:dw.s#a", "h:dw.o#a")]
    return hostile


NESTED = {
    "parentheses": ("(", "a", ")"),
    "brackets": ("[", "a", "]"),
    "case": ("CASE WHEN a THEN ", "a", " END"),
    "subqueries": ("(SELECT ", "a", ")"),
    "calls": ("f(", "a", ")"),
}


@pytest.mark.parametrize("depth", [50, 500, 10_000])
@pytest.mark.parametrize("kind", NESTED)
def test_q01_nesting_is_refused_before_any_parser(pool: ExtractionPool, kind: str, depth: int) -> None:
    """Q01: a text nested too deeply is opaque as too-nested, and no worker dies of it."""
    opening, middle, closing = NESTED[kind]
    workers = pool.pids
    hostile = extract_between_good_ones(pool, f"SELECT {opening * depth}{middle}{closing * depth} FROM s", "bigquery")

    assert [p.code for p in hostile.problems] == ["too-nested"]
    assert (hostile.coverage, hostile.edges) == ("opaque", ())
    assert pool.pids == workers


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "(" * (DEFAULT_LIMITS.nesting - 2) + "a" + ")" * (DEFAULT_LIMITS.nesting - 2) + " AS a FROM s",
        "SELECT '" + "(" * 5_000 + "', a -- " + "(" * 5_000 + "\n FROM s",
        "SELECT a" + " + b" * 3_000 + " AS a FROM s",
        "SELECT a FROM s WHERE " + " AND ".join(["b = 1"] * 3_000),
        "SELECT a FROM s WHERE a IN (" + ",".join(map(str, range(20_000))) + ")",
        " UNION ALL ".join(["SELECT a FROM s"] * 400),
    ],
    ids=["nested", "quoted", "plus", "and", "in", "union"],
)
def test_q01_q02_what_is_within_the_limits_is_extracted(pool: ExtractionPool, sql: str) -> None:
    """Q01, Q02: large texts within the limits give their edges and kill nobody."""
    found = extract_between_good_ones(pool, sql)

    assert ("h:dw.s#a", "h:dw.o#a") in edges(found)


@pytest.mark.parametrize(
    ("code", "sql"),
    [
        ("too-large", "SELECT '" + "x" * 5_000_000 + "'"),
        ("too-many-tokens", "SELECT a FROM s WHERE a IN (" + ",".join(map(str, range(300_000))) + ")"),
        ("too-long-chain", "SELECT a FROM s WHERE " + " AND ".join(["b = 1"] * 20_000)),
        ("too-many-queries", " UNION ALL ".join(["SELECT a FROM s"] * 3_000)),
        ("too-many-queries", "WITH " + ", ".join(f"c{i} AS (SELECT 1)" for i in range(10_000)) + " SELECT a FROM s"),
    ],
    ids=["5MB", "in-list", "ands", "unions", "ctes"],
)
def test_q02_size_is_limited(pool: ExtractionPool, code: str, sql: str) -> None:
    """Q02: texts beyond the limits are opaque with the limit's name: none comes to the limit of time."""
    hostile = extract_between_good_ones(pool, sql)

    assert [p.code for p in hostile.problems] == [code]


def test_q02_cpu_time_is_limited_where_no_limit_foresaw_it() -> None:
    """Q02: a text that the limits let through but that takes too much CPU time costs its workers and itself."""
    lenient = dataclasses.replace(DEFAULT_LIMITS, guesses=1_000)
    slow = "SELECT " + "STRUCT(" * 26 + "a" + ")" * 26 + " AS x FROM s"
    with ExtractionPool(2, time_limit=2.0, limits=lenient) as pool:
        hostile = extract_between_good_ones(pool, slow, "bigquery")

    assert [p.code for p in hostile.problems] == ["timeout"]


def test_q03_three_deaths_are_enough() -> None:
    """Q03: a text whose worker dies is tried three times, then opaque; the pool is whole again."""
    with ExtractionPool(2, function="hostile_functions:obey") as pool:
        answers = pool.map([job("fine"), job("segfault"), job("fine too")])
        again = pool.map([job("fine again")])

    assert [p.detail for p in answers[1].problems] == ["3 workers died of it: SIGSEGV"]
    assert [a.reads for a in (answers[0], answers[2], again[0])] == [("fine",), ("fine too",), ("fine again",)]


def test_q03_memory_is_limited() -> None:
    """Q03: a job that asks for more memory than a worker may have fails alone."""
    with ExtractionPool(1, memory_limit=1 << 30, function="hostile_functions:obey") as pool:
        eaten, fine = pool.map([job("eat all of the memory"), job("fine")])

    assert "MemoryError" in eaten.problems[0].detail
    assert fine.reads == ("fine",)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("hive", "INSERT INTO o SELECT a FROM s_${env}"),
        ("hive", "INSERT INTO o SELECT ${expression} FROM s"),
        ("bigquery", "SELECT a FROM {{ ref('s') }} {% if x %} WHERE b = 1 {% endif %}"),
        ("bigquery", "SELECT {{ macro('s') }} FROM s"),
        ("hive", "FROBNICATE TABLE s WITH (x = 1)"),
        ("tsql", "EXEC sp_rename @old, 'b', 'COLUMN'"),
        ("no-such-dialect", "SELECT a FROM s"),
    ],
)
def test_q04_what_is_not_known_is_said(pool: ExtractionPool, dialect: str, sql: str) -> None:
    """Q04: templates without values and vendor syntax are never complete and always give a reason."""
    hostile = extract_between_good_ones(pool, sql, dialect)

    assert hostile.coverage in ("partial", "opaque")
    assert hostile.problems


@pytest.mark.parametrize(
    "name", ["оrders", "or\u200bders", "\u202eredro", "orde\u0301rs", "ＯＲＤＥＲＳ", "a" * 10_000]
)
def test_q05_names_that_only_look_alike_stay_apart(name: str) -> None:
    """Q05: homoglyphs, zero-width, right-to-left, combining and very many characters come back as written."""
    found = run_job(ExtractionJob(f"INSERT INTO o SELECT a FROM `{name}`", "hive", "h", "dw"))

    assert f"h:dw.{name.lower()}" in found.reads
    assert "h:dw.orders" not in found.reads


@pytest.mark.parametrize(
    "name", ["../etc/passwd", "a'b", 'a"b', "con", "a;drop table x", "a\tb", "{{x}}", "${x}", "a\x00b"]
)
def test_q06_odd_names_are_survived_and_labelled(pool: ExtractionPool, name: str) -> None:
    """Q06: names with quotes, separators, NUL and template signs are read as names, or refused with a reason."""
    hostile = extract_between_good_ones(pool, f"INSERT INTO o SELECT a FROM `{name}`")

    assert is_labelled(hostile)
    assert hostile.reads or hostile.coverage == "opaque"


SCRAPS = ["", "   ", ";;;", "-- nothing", "/* only */", "\x00", "'", "SELECT", "{% if %}", "{{", "${", "))))", "\ud800"]
OTHER = [
    "GRANT SELECT ON s TO PUBLIC",
    "COPY s FROM 'f'",
    "CALL p(1)",
    "CREATE TABLE o (a INT); INSERT INTO o SELECT a FROM s; DROP TABLE s",
]


@pytest.mark.parametrize("sql", [*SCRAPS, *OTHER])
def test_q07_everything_comes_back_labelled(pool: ExtractionPool, sql: str) -> None:
    """Q07: comments only, DDL, GRANT, COPY, CALL, scripts and scraps are answered, by a reason where not by lineage."""
    assert is_labelled(extract_between_good_ones(pool, sql))


@pytest.mark.parametrize(
    "sql", ["SELECT a FROM s WHERE p = '{}' AND (", "SELECT '{}' FROM ((", "-- {}\nSELEC a", "SELECT '{}"]
)
def test_q08_masked_text_holds_no_canary(sql: str) -> None:
    """Q08: what is masked before it is stored holds no literal's or comment's text, even of broken SQL."""
    assert "c4n4ry" not in mask_literals(sql.format("c4n4ry"), "hive")


def test_q08_a_crash_does_not_quote_the_text() -> None:
    """Q08: the reason that a crash leaves names the kind and place of the error, never its message."""
    with ExtractionPool(1, function="hostile_functions:obey") as pool:
        crashed = pool.map([job("raise")])[0]

    assert "s3cr3t" not in repr(crashed)
    assert "ValueError in hostile_functions.py" in crashed.problems[0].detail
