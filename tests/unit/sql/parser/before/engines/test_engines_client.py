"""What an engine's client reads itself is no SQL: it spoils no statement, and what it runs or sets is not lost."""

from __future__ import annotations

import time

import pytest

from ingest.sql.compare.compare import compare
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.jobs import ExtractionJob
from ingest.sql.parser.before.engines.client import without_client_lines
from ingest.workers.work import run_job
from lineage_tt.impact.texts import Side


def lineage(sql: str, dialect: str, **params: str):
    """Return the pairs of a text's edges without their namespace, its coverage, and its problems' codes."""
    found = run_job(ExtractionJob(sql, dialect, "n", params=params))
    pairs = {(edge.source.removeprefix("n:"), edge.target.removeprefix("n:")) for edge in found.edges}
    return pairs, found.coverage, {problem.code for problem in found.problems}


@pytest.mark.parametrize(
    ("dialect", "head", "tail"),
    [
        ("postgres", "\\set ON_ERROR_STOP on\n\\timing\n\\echo it's on", "\\echo done"),
        ("redshift", "\\set ON_ERROR_STOP true", "\\q"),
        ("oracle", "SET ECHO OFF\nWHENEVER SQLERROR EXIT SQL.SQLCODE\nPROMPT it's on\nSPOOL /x/log", "SPOOL OFF\nEXIT"),
        ("snowflake", "!set variable_substitution=true;", "!exit"),
        ("tsql", ":on error exit", "GO"),
        ("teradata", ".LOGON h/u,p'w;\n.SET WIDTH 200", ".IF ERRORCODE <> 0 THEN .QUIT 8;\n.LOGOFF"),
        ("sqlite", ".mode csv", ".exit"),
        ("duckdb", ".timer on", ".exit"),
        ("mysql", "tee /x/log", "notee"),
    ],
)
def test_commands_of_the_client_spoil_no_statement(dialect: str, head: str, tail: str) -> None:
    """A script began with a syntax error, and lost its first statement."""
    text = f"{head}\n-- loads\nINSERT INTO d.o (a)\nSELECT a FROM d.s;\n{tail}\n"
    pairs, coverage, codes = lineage(text, dialect)

    assert {(source.lower(), target.lower()) for source, target in pairs} == {("d.s#a", "d.o#a")}
    assert (coverage, codes) == ("complete", set())


@pytest.mark.parametrize(
    ("dialect", "line", "word"),
    [
        ("postgres", "\\i a/b.sql", "\\i a/b.sql"),
        ("postgres", "\\connect other", "\\connect"),
        ("oracle", "@@b.sql 1", "@@b.sql"),
        ("oracle", "CONNECT u/secret@db", "CONNECT"),
        ("snowflake", "!source b.sql", "!source"),
        ("tsql", ":r .\\b.sql", ":r .\\b.sql"),
        ("teradata", ".RUN FILE=b.btq", ".RUN"),
        ("sqlite", ".import b.csv d.s", ".import"),
        ("mysql", "source b.sql", "source b.sql"),
    ],
)
def test_what_the_client_runs_is_not_known(dialect: str, line: str, word: str) -> None:
    """Another script may write anything: the answer is partial, names the line, and holds nothing secret."""
    found = run_job(ExtractionJob(f"-- x\n{line}\nINSERT INTO d.o (a) SELECT a FROM d.s;", dialect, "n"))

    assert found.coverage == "partial"
    (problem,) = found.problems
    assert (problem.code, problem.detail, problem.line) == ("opaque-call", f"what {word} runs is not looked into", 2)


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("postgres", "SELECT a FROM s WHERE b ~ '\n\\d+' AND c = 1;"),
        ("oracle", "UPDATE t\n-- why\nSET a = 1;"),
        ("oracle", "SELECT a FROM b\nSTART WITH c IS NULL\nCONNECT BY PRIOR c = d;"),
        ("oracle", "SET TRANSACTION READ ONLY;"),
        ("oracle", "BEGIN\n  x := 1;\n  print(x);\n  col := 2;\nEND;"),
        ("oracle", "CREATE OR REPLACE\nPROCEDURE p IS\n  n INT;\n  start DATE;\n  col INT;\nBEGIN\n  NULL;\nEND;"),
        ("oracle", "BEGIN\n  p;\n  EXIT WHEN a > 1; q;\n  IF b THEN\n    r;\n  END IF;\n  host := 1;\nEND;\n/\n"),
        ("oracle", "SELECT a /\nstart FROM s;"),
        ("oracle", "SELECT 1 FROM t;\nSTART TRANSACTION;"),
        ("mysql", "SELECT a /\nsystem FROM s;"),
        ("teradata", "SELECT a\n.5 FROM s;"),
        ("snowflake", "SELECT a FROM s WHERE b\n!= 3;"),
        ("hive", "!set x\n.y"),
        ("mysql", "SELECT a,\nsource FROM s;"),
    ],
)
def test_other_lines_stay(dialect: str, text: str) -> None:
    """Only what begins as a command does, where a statement may begin, is the client's."""
    assert without_client_lines(text, rules_or_standard(dialect)).text == text


@pytest.mark.parametrize(
    "block",
    [
        "DECLARE\n  start DATE;\nBEGIN\n  p;\nEND;\n/",
        "CREATE OR REPLACE PROCEDURE p IS\n  col INT;\nBEGIN\n  p;\nEND p;",
        "BEGIN p; END;",
        "CREATE TYPE t AS TABLE OF NUMBER;\n/",
        "/*\nBegin of all\n*/\nSPOOL x\nSELECT 1 FROM t;",
    ],
)
def test_after_a_block_lines_are_commands_again(block: str) -> None:
    """A line of a slash ends it, and so does an END at a line's begin."""
    script = without_client_lines(f"{block}\nSHOW ERRORS\nPROMPT it's", rules_or_standard("oracle"))

    assert script.lines[-2:] == ["SHOW ERRORS", "PROMPT it's"]


def test_psql_inserts_a_value_as_it_is() -> None:
    """``:x`` is replaced by its value, which may hold columns; in quotes it is a text."""
    head = "\\set two 'a, b'\n\\set d '\\'2024-01-01\\''\n\\set more 'c > 1 and e = 2'\n"
    text = f"{head}INSERT INTO d.o SELECT :two FROM d.s WHERE f = :d AND :more AND g = :'two';"
    deciding = {(f"d.s#{name}", "d.o") for name in "cefg"}

    assert lineage(text, "postgres") == ({("d.s#a", "d.o#a"), ("d.s#b", "d.o#b")} | deciding, "complete", set())


def test_places_stay_as_they_are() -> None:
    """A line becomes as many blanks, so that a problem is where it was."""
    text = "\\set a 1\nSELECT 1;\n\\echo x\n"
    plain = without_client_lines(text, rules_or_standard("postgres")).text

    assert plain == " " * 8 + "\nSELECT 1;\n" + " " * 7 + "\n"


def test_psql_copies_and_sends() -> None:
    """``\\copy`` is a statement of one line, and ``\\gset`` ends one."""
    text = (
        "\\copy d.s (a) from '/x.csv' csv\nSELECT max(a) AS m FROM d.s \\gset\nINSERT INTO d.o (a) SELECT a FROM d.s;"
    )

    assert lineage(text, "postgres") == ({("file:/x.csv", "d.s"), ("d.s#a", "d.o#a")}, "complete", set())


@pytest.mark.parametrize(
    ("dialect", "setting", "name"),
    [
        ("postgres", "\\set sch 'dw'", ':"sch".t'),
        ("postgres", "\\set sch dw", ":sch.t"),
        ("oracle", "DEFINE sch = dw", "&sch..t"),
        ("oracle", "def sch = 'dw'", "&&sch..t"),
        ("snowflake", "!define sch=dw", "&sch.t"),
        ("snowflake", "!set variables sch=dw", "&{sch}.t"),
        ("tsql", ":setvar sch dw", "$(sch).t"),
        ("tsql", ':setvar sch "dw"', "[$(sch)].t"),
    ],
)
def test_a_variable_of_the_client_is_a_template_part(dialect: str, setting: str, name: str) -> None:
    """Its value is what the script sets, or what is given; without one the answer says that it is not known."""
    insert = f"INSERT INTO {name} (a) SELECT a FROM d.s;"
    known = {("d.s#a", "dw.t#a")}
    result = [lineage(f"{setting}\n{insert}", dialect), lineage(insert, dialect, sch="dw")]

    assert [{(s.lower(), t.lower()) for s, t in pairs} for pairs, *_ in result] == [known, known]
    assert [coverage for _, coverage, _ in result] == ["complete", "complete"]
    assert lineage(insert, dialect)[1:] == ("partial", {"template"})


def test_a_value_that_psql_quotes_needs_none() -> None:
    """``:'day'`` is a string, which decides no edge; it was a syntax error."""
    text = "INSERT INTO d.o (a) SELECT a FROM d.s WHERE ds = :'day' AND c::\"char\" = 'x';"

    assert lineage(text, "redshift")[1:] == ("complete", set())


def test_a_table_that_a_colon_names_is_not_known() -> None:
    """``:sch.t`` without a value was a table of that name, and the answer was complete."""
    assert lineage("INSERT INTO :sch.t (a) SELECT a FROM d.s", "postgres")[1:] == ("partial", {"template"})


def test_another_script_is_another_text() -> None:
    """A release that runs another file is a change, however equal its statements are."""
    one, other = (
        Side(f"\\i {name}.sql\nINSERT INTO d.o (a) SELECT a FROM d.s;", "postgres", "n") for name in ("a", "b")
    )

    assert compare(one, one).same
    assert not compare(one, other).same


@pytest.mark.parametrize(
    "unit",
    [
        "PROMPT it's\n@x.sql\n-- c\n/* d */ SELECT 1 FROM t;\n",
        "PROMPT x\n@x.sql\nINSERT INTO o SELECT a FROM s;\n",
        "PROMPT /* x\n@x.sql\n",
    ],
)
def test_many_lines_take_time_in_proportion(unit: str) -> None:
    """Each line, quote and comment is read once, and what is left after them is not searched for each."""
    rules = rules_or_standard("oracle")
    spent = []
    for count in (2_000, 8_000):
        text = unit * count
        start = time.process_time()
        assert len(without_client_lines(text, rules).lines) == 2 * count
        spent.append(time.process_time() - start)
    assert spent[1] < 16 * max(spent[0], 0.01)
