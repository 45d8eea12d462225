"""What a query is called, and what of its events differs from run to run."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.events.openlineage import queries


@pytest.mark.parametrize(
    ("facets", "engine", "hive"),
    [({"jobType": {"integration": "TRINO"}}, True, False), ({"jobType": {"integration": "presto"}}, True, False),
     ({"jobType": {"integration": "Hive"}}, False, True), ({"jobType": {"integration": "SPARK"}}, False, False),
     ({"jobType": {}}, False, False), ({"jobType": "TRINO"}, False, False), ({}, False, False), (None, False, False)],
)  # fmt: skip
def test_an_engine_s_queries_are_known_by_their_integration(facets: Any, engine: bool, hive: bool) -> None:
    """In any case of its letters; facets of other shapes are of no engine."""
    assert (queries.of_engine(facets), queries.of_hive(facets)) == (engine, hive)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("20260101_020001_00001_abcde", True), ("20260101_020001_00001_ABCDE", False), ("20260101_020001_00001", False),
     ("x20260101_020001_00001_abcde", False), ("orders", False), (None, False), (20260101, False)],
)  # fmt: skip
def test_a_query_has_a_number_that_its_server_gave(name: Any, expected: bool) -> None:
    """Such a name tells one run of another and no job of another."""
    assert queries.is_query_id(name) is expected


@pytest.mark.parametrize(
    ("context", "client"),
    [({"source": "trino-cli"}, ""), ({"source": "trino-cli", "client_tags": ["nightly"]}, "nightly"),
     ({"source": "sales_job"}, "sales_job"), ({"source": "dbt-trino-1.9.0"}, ""), ({}, ""),
     ({"source": "loader", "client_tags": ["b", "a"]}, "loader/a,b"), ({"source": "loader v1.2.3"}, "loader"),
     ({"source": " DBeaver 24.1 "}, ""), ({"source": "loader2"}, "loader2"), ({"client_tags": "b, a,[]"}, "a,b"),
     ({"source": None, "client_tags": ["", " "]}, ""), ({"source": "x", "client_tags": 7}, "x")],
)  # fmt: skip
def test_clients_that_name_a_job_name_the_task(context: dict[str, Any], client: str) -> None:
    """A source of its own and client tags name a job; what tools call themselves does not, nor does a version."""
    assert queries.client_of(context) == client


@pytest.mark.parametrize(
    ("run", "session"),
    [({"catalog": "Hive", "schema": "DW"}, ("hive", "dw")), ({"catalog": "hive"}, ()),
     ({"catalog": "", "schema": "dw"}, ()), ("hive.dw", ()), (None, ())],
)  # fmt: skip
def test_a_session_has_both_parts_or_none(run: Any, session: tuple[str, ...]) -> None:
    """Half of it completes no name."""
    assert queries.session_of({queries.CONTEXT: run}) == session
    assert queries.session_of({}) == ()


@pytest.mark.parametrize(
    ("sql", "expected"),
    [("select * from t", True), ("SELECT DISTINCT * from t", True), ("select a, * from t", True),
     ("select t.* from t", True), ("insert into s\ntable dw.\"t\";", True), ("select count(*) from t", False),
     ("select a * b from t", False), ("create table s (a int)", False), ("select a from table_of_b", False)],
)  # fmt: skip
def test_a_star_selects_all_columns_of_something(sql: str, expected: bool) -> None:
    """One that multiplies or counts does not."""
    assert queries.has_star(sql) is expected


@pytest.mark.parametrize(
    ("kind", "sql", "change"),
    [("UPDATE", "", "update"), ("INSERT", "delete from t", ""), (None, "delete from t", "delete"),
     (None, "-- x\n /* y */ MERGE INTO t", "merge"), (None, "insert into deleted select 1", ""), (None, "", "")],
)  # fmt: skip
def test_a_query_that_changes_rows_is_known_by_its_type_or_its_text(kind: str | None, sql: str, change: str) -> None:
    """Older releases do not report the type."""
    assert queries.change_of({"query_type": kind}, sql) == change


def test_texts_that_do_the_same_have_one_fingerprint() -> None:
    """Whatever their literals, how many of them, their comments, layout, case and end."""
    text = "insert into s select a from t where d = '2026-01-01' and n in (1, 2)"
    same = ["INSERT INTO s -- nightly\n select a /* now */ from t\nwhere d = '' and n in (7);", f"{text} ; "]

    found = {queries.fingerprint(each) for each in [text, *same]}
    assert {len(each) for each in found} == {12}
    assert len(found) == 1
    assert queries.fingerprint(text.replace("select a", "select b")) not in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [("create view v as select 1", True), ("CREATE OR REPLACE  MATERIALIZED VIEW v AS SELECT 1", True),
     ("/* x */ alter view `a b`.v as select a from t", True), ("create view if not exists v as select 1", False),
     ("refresh materialized view v", False), ("alter view v set properties x = 1", False),
     ("create table v as select 1", False)],
)  # fmt: skip
def test_all_definitions_of_a_view_are_one_task(text: str, expected: bool) -> None:
    """A view that was defined otherwise had the lineage of both definitions from then on."""
    assert (queries.fingerprint(text, "hive") == "view") is expected


def test_a_name_that_is_not_known_in_full_is_a_problem() -> None:
    """It names what to write where; a query that says all has none."""
    code, words = queries.unresolved({queries.UNRESOLVED: {"change": "DROP", "name": "sales"}}) or ("", "")

    assert code == "unresolved-name"
    assert "catalog and schema 'sales'" in words
    assert "its DROP has no effect" in words
    assert "[openlineage.sessions]" in words
    assert queries.unresolved({queries.UNRESOLVED: 7}) is queries.unresolved({}) is queries.unresolved(None) is None


def body(sql: str = "", kind: str = "INSERT", inputs: Any = (), outputs: Any = ()) -> dict[str, Any]:
    """The body of a query's event, put in order."""
    result = {"job": {"facets": {"sql": {"query": sql}}}, "run": {queries.CONTEXT: {"query_type": kind}},
              "inputs": list(inputs), "outputs": list(outputs)}  # fmt: skip
    queries.steady(result)
    return result


def table(name: str, *columns: str, **facets: Any) -> dict[str, Any]:
    """A table with its columns."""
    schema = {"schema": {"fields": [{"name": each} for each in columns]}} if columns else {}
    return {"namespace": "n", "name": name, "facets": {**schema, **facets}}


def columns_of(dataset: dict[str, Any]) -> list[str] | None:
    """The columns of a table, None where nothing says them."""
    schema = dataset["facets"].get("schema")
    return None if schema is None else [each["name"] for each in schema["fields"]]


def test_what_comes_in_any_order_is_put_in_one() -> None:
    """Inputs, their columns, and the columns that others are made of; columns that a connector adds are left out."""
    lineage = {"fields": {"y": {"inputFields": ["b", "a"]}, "x": 7}, "dataset": ["d", "c"]}
    found = body(
        inputs=[table("b"), table("a", "y", "$path", "x")], outputs=[table("o", "y", "x", columnLineage=lineage)]
    )

    assert [each["name"] for each in found["inputs"]] == ["a", "b"]
    assert columns_of(found["inputs"][0]) == ["x", "y"]
    assert columns_of(found["outputs"][0]) == ["y", "x"]
    assert found["outputs"][0]["facets"]["columnLineage"] == {
        "fields": {"y": {"inputFields": ["a", "b"]}, "x": 7}, "dataset": ["c", "d"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sql", "kind", "is_whole"),
    [("insert into o select 1", "INSERT", True), ("insert into o (a) select 1", "INSERT", False),
     ("INSERT INTO cat.s.\"o\" (a, b) values (1, 2)", "insert", False),
     ("insert into o (select a from t)", "INSERT", True),
     ("insert into o ((select a from t))", "INSERT", True), ("update o set a = 1", "UPDATE", False),
     ("delete from o", "delete", False), ("merge into o", "MERGE", False),
     ("create table o as select 1", "INSERT", True)],
)  # fmt: skip
def test_of_a_table_that_is_written_in_part_no_columns_are_known(sql: str, kind: str, is_whole: bool) -> None:
    """Those that the event lists are not those of the table."""
    found = body(sql, kind, [table("i", "a")], [table("o", "a")])

    assert columns_of(found["outputs"][0]) == (["a"] if is_whole else None)
    assert columns_of(found["inputs"][0]) == ["a"]


def test_a_table_that_keeps_what_it_held_is_not_written() -> None:
    """Statistics, a rewrite of files, and a table that was there already change nothing."""
    there = table("o", schema={"fields": []}, columnLineage={"fields": {}, "dataset": []})

    assert body(kind="ANALYZE", inputs=[table("i")], outputs=[table("o", "a")])["outputs"] == []
    assert body(kind="alter_table_execute", outputs=[table("o", "a")])["outputs"] == []
    assert body(outputs=[there])["outputs"] == []
    assert len(body(inputs=[table("i")], outputs=[there])["outputs"]) == 1
    assert body(sql=7)["outputs"] == []  # type: ignore[arg-type]
    assert len(body(outputs=[table("o", "a")])["outputs"]) == 1
    assert len(body(outputs=[there, table("p", "a")])["outputs"]) == 2
    assert len(body(outputs=[table("o", lifecycleStateChange={})])["outputs"]) == 1
    assert len(body(outputs=[table("o", columnLineage={"dataset": ["a"]})])["outputs"]) == 1
