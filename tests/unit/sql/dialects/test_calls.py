"""Calls keep all of their arguments, whatever the parser makes of a function's name."""

from __future__ import annotations

import re

import pytest

from ingest.sql import extract
from ingest.sql.dialects.calls import keep_arguments
from ingest.sql.dialects.dialects import Names
from ingest.sql.dialects.registry import DIALECTS

_OF_TIMES = re.compile(r"DATE|TIME|DAY|WEEK|MONTH|QUARTER|YEAR|HOUR|MINUTE|SECOND|TO_CHAR|TRUNC|AGE")
#: Calls that no engine has: the parser reads them by rules of their own, or makes a switch of the last argument.
_OTHERWISE = {"FEATURES_AT_TIME", "TIMESTAMP", "EXTRACT", "JSON_TABLE", "VECTOR_SEARCH"}
_BY_PARSER = {rules.parser: rules.name for rules in DIALECTS}


def sources(dialect: str, call: str, columns: tuple[str, ...] = ()) -> str:
    """Return the columns that an expression over s is made of; ``columns`` are those that s is known to have."""
    upper = Names(dialect, "n", "").spell("s") == "S"
    world = {"n:S" if upper else "n:s": tuple(c.upper() if upper else c for c in columns)} if columns else {}
    found = extract(f"INSERT INTO t (a) SELECT {call} FROM s", dialect=dialect, namespace="n", columns=world)
    if found.problems:
        return "problems"
    return " ".join(sorted(edge.source.partition("#")[2].lower() for edge in found.edges))


@pytest.mark.parametrize("dialect", _BY_PARSER.values())
def test_functions_of_times_keep_three_columns(dialect: str) -> None:
    """An argument that the parser took for a unit, or had no place for, was lost in an answer that was complete."""
    names = [name for name in Names(dialect, "n", "").engine.dialect.parser_class.FUNCTIONS if _OF_TIMES.search(name)]
    found = {name: sources(dialect, f"{name}(c1, c2, c3)", ("c1", "c2", "c3")) for name in names}

    assert {name for name, kept in found.items() if kept not in ("c1 c2 c3", "problems")} <= _OTHERWISE
    assert {"DATEDIFF", "DATEADD", "TIMESTAMPDIFF", "DATE_BUCKET"} <= found.keys()


@pytest.mark.parametrize(
    ("dialect", "call", "expected"),
    [
        ("vertica", "DATEDIFF('hh', d1, d2)", "d1 d2"),
        ("vertica", "DATEDIFF(hh, d1, d2)", "d1 d2"),
        ("vertica", "DATEDIFF(hh, q, d)", "d q"),
        ("vertica", "TIMESTAMPDIFF(day, d1, d2)", "d1 d2"),
        ("vertica", "TIMESTAMPADD(DAY, n, d)", "d n"),
        ("postgres", "datediff('hh', d1, d2)", "d1 d2"),
        ("greenplum", "date_diff('day', d1, m)", "d1 m"),
        ("redshift", "datediff(qtr, d1, d2)", "d1 d2"),
        ("tsql", "DATE_BUCKET(week, 2, d)", "d"),
        ("tsql", "DATEDIFF_BIG(ms, d, e)", "d e"),
        ("teradata", "TIMESTAMPDIFF(day, n, m)", "m n"),
        ("maxcompute", "DATEADD(day, n, 'dd')", "day n"),
        ("maxcompute", "DATEDIFF(d1, d2, 'dd')", "d1 d2"),
        ("bigquery", "DATE_DIFF(date, d2, DAY)", "d2 date"),
        ("bigquery", "DATE_TRUNC(date, ISOWEEK)", "date"),
        ("bigquery", "DATE_TRUNC(date, WEEK(MONDAY))", "date"),
        ("bigquery", "TIMESTAMP_DIFF(ts, x, MILLISECOND)", "ts x"),
        ("snowflake", "TIMESTAMPADD(day, n, d)", "d n"),
        ("snowflake", "DATE_PART(epoch_second, d)", "d"),
        ("mysql", "TIMESTAMPDIFF(SQL_TSI_DAY, n, d)", "d n"),
        ("databricks", "datediff(DAY, n, m)", "m n"),
        ("clickhouse", "dateDiff('day', n, m, z)", "m n z"),
    ],
)
def test_a_unit_is_no_column_and_no_other_argument_is_the_unit(dialect: str, call: str, expected: str) -> None:
    """In whichever place an engine has it, of a table whose columns are not known."""
    assert sources(dialect, call) == expected


@pytest.mark.parametrize("columns", [(), ("p", "d")])
@pytest.mark.parametrize(
    ("dialect", "call"),
    [("postgres", "date_part(p, d)"), ("redshift", "date_part(p, d)"), ("trino", "date_trunc(p, d)"),
     ("duckdb", "date_trunc(p, d)"), ("clickhouse", "dateDiff(p, d, now())")],
)  # fmt: skip
def test_what_names_no_unit_is_a_column(dialect: str, call: str, columns: tuple[str, ...]) -> None:
    """These engines take the unit from a column; it was lost where the table's columns were not known."""
    assert sources(dialect, call, columns) == "d p"


def test_a_call_with_more_arguments_than_the_parser_knows_shows_them() -> None:
    """It is a function of the user's own, which may be an aggregate."""
    sql = "INSERT INTO t SELECT sha256(a, b) AS x, array_agg(a, b) AS y FROM s"
    found = extract(sql, dialect="postgres", namespace="n")

    assert {edge.expression for edge in found.edges if edge.target == "n:t#x"} == {"SHA256(s.a, s.b)"}
    assert {(e.source, e.subtype) for e in found.edges if e.target == "n:t#y"} == {
        ("n:s#a", "AGGREGATION"), ("n:s#b", "AGGREGATION")
    }  # fmt: skip


def test_a_parser_is_changed_once() -> None:
    """Two dialects may share one."""
    parser = Names("postgres", "n", "").engine.dialect.parser_class
    before = dict(parser.FUNCTIONS)
    keep_arguments(parser)

    assert before == parser.FUNCTIONS
    assert "DATE_PART" not in parser.FUNCTION_PARSERS
