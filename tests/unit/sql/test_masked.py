"""Masked texts say the same: what the lineage depends on stays, values and comments go."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from statements import Case, read_cases

from ingest.sql import Extraction
from ingest.sql.jobs import ExtractionJob
from ingest.sql.masked import expected_of
from ingest.sql.text.redact import literals
from ingest.workers.work import run_job

CANARY = "c4n4ry"
SAID = ("edges", "coverage", "outputs", "lookups", "stars", "types", "filled", "reads", "writes")


def masked(job: ExtractionJob) -> tuple[Extraction, Extraction]:
    """What a text says, and what its masked text says."""
    found = run_job(job)
    return found, run_job(replace(job, masking=expected_of(found)))


def text_of(sql: str, dialect: str = "spark", **more: object) -> str | None:
    """The masked text; it says the same."""
    found, again = masked(ExtractionJob(sql, dialect, "n", "d", **more))  # type: ignore[arg-type]
    if again.text is not None:
        assert [getattr(again, name) for name in SAID] == [getattr(found, name) for name in SAID]
    return again.text


def job_of(case: Case) -> ExtractionJob:
    """A case of the statements as a job."""
    return ExtractionJob(case.sql, case.dialect, "ns", case.database, case.target, columns=case.columns)


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
def test_every_statement_says_the_same_when_it_is_masked(case: Case) -> None:
    """Edges, outputs, coverage: all but the words of a problem. Masked once more, the text stays."""
    found, again = masked(job_of(case))
    assert again.text is not None
    assert [getattr(again, name) for name in SAID] == [getattr(found, name) for name in SAID]
    assert {p.code for p in again.problems} == {p.code for p in found.problems}
    assert masked(replace(job_of(case), sql=again.text))[1].text == again.text


@pytest.mark.parametrize("case", read_cases()[::4], ids=lambda case: case.name)
def test_no_value_or_comment_of_a_statement_survives(case: Case) -> None:
    """A canary in each string that is not a name, and in a comment, is gone."""
    found = run_job(job_of(case))
    names = " ".join(expected_of(found).names).lower()
    sql = case.sql
    for each in reversed(literals(sql, case.dialect)):
        is_value = each.kind == "string" and each.value.isalpha() and each.value.lower() not in names
        if is_value and run_job(replace(job_of(case), sql=_with(sql, each.start, each.end))).edges == found.edges:
            sql = _with(sql, each.start, each.end)
    sql += f"\n/* {CANARY} */ -- {CANARY}"

    _, again = masked(replace(job_of(case), sql=sql))

    assert again.text is None or CANARY not in again.text
    assert CANARY not in repr(again.problems)


def _with(sql: str, start: int, end: int) -> str:
    quote = sql[end - 1]
    return f"{sql[:start]}{quote}{CANARY}{quote}{sql[end:]}"


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("spark", "INSERT INTO o SELECT a, b FROM t WHERE c = 'x' AND d > 250 GROUP BY 1, 2 ORDER BY 2 DESC LIMIT 10",
         "INSERT INTO o SELECT a, b FROM t WHERE c = '?' AND d > 0 GROUP BY 1, 2 ORDER BY 2 DESC LIMIT 0"),
        ("spark", "CREATE TABLE o AS SELECT * FROM (SELECT y, q FROM t) PIVOT (sum(y) FOR q IN ('Mai', 'Juni'))",
         "CREATE TABLE o AS SELECT * FROM (SELECT y, q FROM t) PIVOT (sum(y) FOR q IN ('Mai', 'Juni'))"),
        ("duckdb", "COPY (SELECT a FROM t WHERE a = 'x') TO 's3://b/x/y.parquet'",
         "COPY (SELECT a FROM t WHERE a = '?') TO 's3://b/x/y.parquet'"),
        ("spark", "CREATE TABLE o AS SELECT CAST(a AS DECIMAL(10, 2)) AS x FROM t WHERE a > 12.50",
         "CREATE TABLE o AS SELECT CAST(a AS DECIMAL(10, 2)) AS x FROM t WHERE a > 0"),
        ("redshift", "UNLOAD ('SELECT a FROM t WHERE b = ''x''') TO 's3://b/x/'",
         "UNLOAD ('SELECT a FROM t WHERE b = ''?''') TO 's3://b/x/'"),
        ("bigquery", "INSERT o SELECT i FROM EXTERNAL_QUERY('p.eu.c', 'SELECT i FROM u WHERE k = 777')",
         "INSERT o SELECT i FROM EXTERNAL_QUERY('p.eu.c', 'SELECT i FROM u WHERE k = 0')"),
        ("hive", "INSERT INTO o SELECT a FROM t WHERE ds = '{{ ds }}-x' AND x = {{ var('v', 'z') }} -- secret",
         "INSERT INTO o SELECT a FROM t WHERE ds = '{{ ds }}?' AND x = {{ var('?', '?') }} -- ?"),
        ("spark", "INSERT INTO o SELECT named_struct('k', a, 'l', 'val') AS s FROM t", None),
        ("spark", "INSERT INTO o (SELECT 'open", "INSERT INTO o (SELECT '?'"),
        ("no-such", "SELECT 'x', 17", "SELECT '?', 0"),
    ],
)  # fmt: skip
def test_names_in_literals_stay_and_values_go(dialect: str, sql: str, expected: str | None) -> None:
    """Positions, columns of a PIVOT, files, queries in strings, sizes of types; templates keep what they are."""
    text = text_of(sql, dialect)

    assert text is not None
    assert expected in (None, text)
    assert "val'" not in text


def test_values_of_template_parts_are_masked_where_they_name_nothing() -> None:
    """A table's name stays, a date does not."""
    sql = "INSERT INTO d.o SELECT a FROM ${table} WHERE day = '${day}' AND n > ${n}"
    params = {"table": "d.src", "day": "2024-05-06 somebody", "n": "4711"}

    _, again = masked(ExtractionJob(sql, "hive", "n", "d", params=params))

    assert again.text == sql
    assert dict(again.params) == {"table": "d.src", "day": "?", "n": "0"}


def test_a_text_whose_lineage_rests_on_more_than_names_is_given_up() -> None:
    """It has no masked text, and so is not kept."""
    sql = "CREATE TABLE o AS SELECT COLUMNS('^(a|b)$| hunter two') FROM t"
    columns = {"n:d.t": ("a", "b", "c")}

    assert text_of(sql, "duckdb", columns=columns) is None
    assert text_of(sql.replace("| hunter two", ""), "duckdb", columns=columns) is not None


def shared_texts(folder: Path) -> Iterator[ExtractionJob]:
    """Texts of test suites and of a real platform."""
    cases = folder / "data" / "sql_cases"
    for name in ("hive.jsonl", "sqllineage.jsonl", "spark_tpcds.jsonl.gz"):
        data = (cases / name).read_bytes()
        for line in (gzip.decompress(data) if name.endswith("gz") else data).splitlines():
            case = json.loads(line)
            columns = {f"n:{table}": tuple(names) for table, names in case.get("schema", {}).items()}
            for statement in case.get("statements", [case]):
                yield ExtractionJob(statement["sql"], case.get("dialect") or "spark", "n", "d", columns=columns)
    with gzip.open(folder / "data" / "bqetl_stream" / "messages-2023.jsonl.gz", "rt") as lines:
        for message in map(json.loads, lines):
            if message["sql"]:
                yield ExtractionJob(message["sql"], "bigquery", "n", "d", params=message.get("params") or {})


@pytest.mark.long
def test_texts_of_others_say_the_same_when_they_are_masked(shared_dir: Path) -> None:
    """Every one of them can be masked."""
    compared = 0
    for job in list(shared_texts(shared_dir))[::23]:
        found, again = masked(job)
        assert again.text is not None, job.sql
        assert [getattr(again, name) for name in SAID] == [getattr(found, name) for name in SAID]
        compared += 1
    assert compared > 150
