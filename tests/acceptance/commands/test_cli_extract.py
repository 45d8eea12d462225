"""``lineage-tt extract``: edges of SQL text, and a linter's words and status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commandline import SALES, call, spawn

from lineage_tt import Lineage, Store, TaskChange
from lineage_tt.model.times import parse_instant

GOOD = (
    "INSERT INTO dw.sales SELECT o.id, SUM(o.amount) AS revenue FROM ods.orders o WHERE o.status = 'paid' GROUP BY o.id"
)


def test_edges_of_standard_input() -> None:
    """SQL on standard input gives its edges by target."""
    said = spawn("extract", stdin=GOOD)

    assert said.status == 0
    lines = said.out.splitlines()
    at = lines.index(f"{SALES}#revenue")
    assert lines[at + 1].split()[:3] == ["<-", "hive:ods.orders#amount", "AGGREGATION"]


def test_a_syntax_error_says_where_and_says_no(tmp_path: Path) -> None:
    """A file with a syntax error is status 1, with file:line:column; the others are extracted all the same."""
    (tmp_path / "good.sql").write_text(GOOD)
    (tmp_path / "bad.sql").write_text("SELECT a,\n  FROM FROM t (")

    text = spawn("extract", "good.sql", "bad.sql", cwd=tmp_path)
    good, bad = call("extract", tmp_path / "good.sql", tmp_path / "bad.sql", "--format", "json").result

    assert text.status == 1
    assert any(line.startswith("bad.sql:2:") and ": syntax: " in line for line in text.out.splitlines())
    assert f"{SALES}#revenue" in text.out
    assert [p["code"] for p in bad["problems"]] == ["syntax"]
    assert bad["problems"][0]["line"] == 2
    assert good["edges"]


def test_opaque_text_says_no() -> None:
    """Text whose lineage is not known is status 1."""
    said = spawn("extract", "--dialect", "no-such-dialect", "--format", "json", stdin=GOOD)

    assert (said.status, said.result[0]["coverage"]) == (1, "opaque")


def test_names_get_namespace_database_and_target() -> None:
    """The options say what unqualified names belong to, and what a bare SELECT writes."""
    options = ["--dialect", "trino", "--namespace", "lake", "--default-database", "dw", "--target", "lake:dw.out"]

    [found] = spawn("extract", *options, "--format", "json", stdin="SELECT a FROM t").result

    assert (found["reads"], found["writes"]) == (["lake:dw.t"], ["lake:dw.out"])
    assert [(e["source"], e["target"]) for e in found["edges"]] == [("lake:dw.t#a", "lake:dw.out#a")]


def test_a_store_knows_the_columns(tmp_path: Path) -> None:
    """With --store a star is expanded from the columns that the store knows now; a retracted statement is forgotten."""
    path = tmp_path / "s"
    at = parse_instant("2024-01-01T00:00:00Z")
    known = Lineage(outputs=[("hive:dw.t", ("a", "b"))])
    wrong = Lineage(outputs=[("hive:dw.t", ("x",))])
    Store.create(path).append(
        [
            TaskChange("e1", "t", "online", at, lineage=known),
            TaskChange("e2", "t", "update", at + 1, lineage=wrong),
            TaskChange("e3", "t", "retract", retracts="e2"),
        ]
    )
    (tmp_path / "q.sql").write_text("INSERT INTO dw.out SELECT * FROM dw.t")

    with_store = call("extract", tmp_path / "q.sql", "--format", "json", store=path)
    without = call("extract", tmp_path / "q.sql", "--format", "json")

    assert [e["target"] for e in with_store.result[0]["edges"]] == ["hive:dw.out#a", "hive:dw.out#b"]
    assert (with_store.result[0]["coverage"], without.result[0]["coverage"]) == ("complete", "partial")


def test_what_cannot_be_read_is_a_wrong_call(tmp_path: Path) -> None:
    """A file that is not there, or not UTF-8, is status 2."""
    (tmp_path / "latin.sql").write_bytes(b"SELECT '\xe9'")

    assert call("extract", tmp_path / "none.sql").status == 2
    assert call("extract", tmp_path / "latin.sql").status == 2


def test_a_store_knows_the_fields_of_structs(tmp_path: Path) -> None:
    """A star over a struct stands for the fields that the store knows; the types that a text declares are reported."""
    path = tmp_path / "s"
    at = parse_instant("2024-01-01T00:00:00Z")
    known = Lineage(outputs=[("hive:dw.t", ("s",))], types=[("hive:dw.t", (("s", "STRUCT<x: INT, y: INT>"),))])
    Store.create(path).append([TaskChange("e1", "t", "online", at, lineage=known)])
    (tmp_path / "q.sql").write_text("CREATE TABLE dw.out AS SELECT t.s.* FROM dw.t; CREATE TABLE dw.n (a INT)")

    [found] = call("extract", tmp_path / "q.sql", "--dialect", "spark", "--namespace", "hive", "--format", "json",
                   store=path).result  # fmt: skip

    assert [(edge["source"], edge["target"]) for edge in found["edges"]] == [
        ("hive:dw.t#s.x", "hive:dw.out#x"),
        ("hive:dw.t#s.y", "hive:dw.out#y"),
    ]
    assert found["outputs"] == [
        {"dataset": "hive:dw.n", "columns": ["a"], "types": {"a": "INT"}},
        {"dataset": "hive:dw.out", "columns": ["x", "y"], "types": {}},
    ]


def test_registered_functions_are_read(tmp_path: Path) -> None:
    """--functions names the file, and a mistake in it is a call that was wrong."""
    (tmp_path / "good.toml").write_text('[[function]]\nname = "f"\nvalues = [1]\n', encoding="utf-8")
    (tmp_path / "bad.toml").write_text('[[function]]\nname = "f"\nvalue = [1]\n', encoding="utf-8")
    sql = "INSERT INTO o SELECT f(a, b) AS x FROM t"

    good = spawn("extract", "--functions", str(tmp_path / "good.toml"), "--format", "json", stdin=sql)
    bad = spawn("extract", "--functions", str(tmp_path / "bad.toml"), stdin=sql)

    assert [edge["source"] for edge in json.loads(good.out)["result"][0]["edges"]] == ["hive:t#a"]
    assert (bad.status, "there is no field 'value'" in bad.err) == (2, True)


@pytest.mark.parametrize(("dialect", "near"), [("kyuubi", "spark"), ("inceptor", "hive"), ("postgress", "postgres")])
def test_an_unknown_dialect_is_refused_with_the_nearest_name(dialect: str, near: str) -> None:
    """Nothing is extracted by the rules of another dialect unasked; the help lists those that there are."""
    refused = spawn("extract", "--dialect", dialect, stdin="SELECT 1")

    assert refused.status == 1
    assert f"did you mean {near}?" in refused.out
    assert "starrocks" in spawn("extract", "--help").out


def test_an_empty_file_is_not_understood(tmp_path: Path) -> None:
    """It was "0 edges, coverage complete" with status 0, as if its task were known to do nothing."""
    (tmp_path / "e.sql").write_text("")

    said = call("extract", tmp_path / "e.sql")

    assert said.status == 1
    assert "unsupported-statement: there is no statement in this text" in said.out
    assert said.out.rstrip().endswith("0 edges, coverage opaque")
