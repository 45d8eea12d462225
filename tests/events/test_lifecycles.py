"""DROP and RENAME: the text of a query of Trino says what ``lifecycleStateChange`` says, and a task's SQL the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_trino_events import edges, take

from ingest.events.intake import EventIntake
from ingest.events.openlineage.reading import Event
from ingest.events.policy import Policies
from ingest.events.policy_file import PolicyFile
from ingest.events.trino.lifecycles import with_lifecycles
from lineage_tt import Store

PLACE = "trino://trino:8080"


def query(sql: str, number: int = 1, **context: Any) -> dict[str, Any]:
    """Return the event of a definition: Trino names no table in it."""
    session = {"catalog": "hive", "schema": "dw", "queryType": "DATA_DEFINITION", "serverVersion": "476", **context}
    return {
        "metadata": {
            "queryId": f"20260101_02000{number}_00001_abcde", "query": sql, "queryState": "FINISHED",
            "uri": f"{PLACE.replace('trino:', 'http:', 1)}/v1/query/1", "tables": [],
        },
        "context": session, "ioMetadata": {"inputs": []}, "createTime": f"2026-01-01T02:00:0{number}Z",
        "endTime": f"2026-01-01T02:00:0{number}.5Z",
    }  # fmt: skip


def changed(sql: str, *, session: tuple[str, str] | None = ("hive", "dw")) -> list[tuple[str, str, str | None]]:
    """Return what a text drops or renames: name, change, former name."""
    facets = {"jobType": {"integration": "TRINO"}, "sql": {"query": sql}}
    context = dict(zip(("catalog", "schema"), session, strict=True)) if session else {}
    given = {
        "run": {"facets": {"trino_query_context": context}},
        "job": {"namespace": PLACE, "facets": facets}, "inputs": [], "outputs": [],
    }  # fmt: skip
    found = [(each["name"], each["facets"]["lifecycleStateChange"]) for each in with_lifecycles(given)["outputs"]]
    return [
        (name, said["lifecycleStateChange"], said.get("previousIdentifier", {}).get("name")) for name, said in found
    ]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("DROP TABLE sales", [("hive.dw.sales", "DROP", None)]),
        ("drop view if exists ods.v ;", [("hive.ods.v", "DROP", None)]),
        ('-- nightly\nDROP MATERIALIZED VIEW lake.dw."Top Ten"', [("lake.dw.top ten", "DROP", None)]),
        ("ALTER TABLE sales RENAME TO sold", [("hive.dw.sold", "RENAME", "hive.dw.sales")]),
        ("alter table if exists lake.a.b rename to c", [("lake.a.c", "RENAME", "lake.a.b")]),
        ("/* x */ ALTER VIEW ods.v RENAME TO dw.w", [("hive.dw.w", "RENAME", "hive.ods.v")]),
        ('ALTER TABLE "a""b" RENAME TO "--c"', [("hive.dw.--c", "RENAME", 'hive.dw.a"b')]),
        ("DROP SCHEMA dw", []),
        ("ALTER TABLE sales RENAME COLUMN a TO b", []),
        ("ALTER TABLE sales DROP COLUMN a", []),
        ("DROP TABLE a; DROP TABLE b", []),
        ("DROP TABLE " + "a" * 5000, []),
    ],
)
def test_what_a_text_drops_or_renames(sql: str, expected: list[tuple[str, str, str | None]]) -> None:
    """Names are completed as the engine does it; other definitions say nothing about a table as a whole."""
    assert changed(sql) == expected


def test_a_name_that_cannot_be_completed_says_nothing() -> None:
    """Where the session is not given, as by the OpenLineage listener, only whole names count."""
    assert changed("DROP TABLE sales", session=None) == []
    assert changed("DROP TABLE hive.dw.sales", session=None) == [("hive.dw.sales", "DROP", None)]


@pytest.mark.parametrize("server", ["trino", PLACE])
def test_the_mapping_gives_the_session_of_a_listener_that_does_not(tmp_path: Path, server: str) -> None:
    """An event of OpenLineage's listener says what the HTTP listener's says; a session that is given counts first."""
    rules = PolicyFile.model_validate({"sessions": {server: "hive.dw"}})
    sql = "ALTER TABLE sales RENAME TO sold"
    facets = {"jobType": {"integration": "TRINO"}, "sql": {"query": sql}}
    stated = {
        "eventType": "COMPLETE", "eventTime": "2026-01-01T02:00:01.5Z",
        "run": {"runId": "r", "facets": {"trino_query_context": {"query_type": "DATA_DEFINITION"}}},
        "job": {"namespace": PLACE, "name": "20260101_020001_00001_abcde", "facets": facets},
    }  # fmt: skip
    take(tmp_path / "openlineage", stated, policies=Policies(rules))
    take(tmp_path / "http", query(sql), policies=Policies(rules))
    take(tmp_path / "other", query(sql, catalog="lake", schema="a"), policies=Policies(rules))

    assert edges(tmp_path / "openlineage") == edges(tmp_path / "http")
    assert {edge[1:3] for edge in edges(tmp_path / "http")} == {
        (f"{PLACE}:hive.dw.sales{each}", f"{PLACE}:hive.dw.sold{each}") for each in ("", "#*")
    }
    assert {edge[1] for edge in edges(tmp_path / "other")} == {f"{PLACE}:lake.a.sales", f"{PLACE}:lake.a.sales#*"}


@pytest.mark.parametrize("sql", ["DROP TABLE sales", "alter table dw.sales rename to sold"])
def test_a_name_that_is_not_known_in_full_is_a_problem_that_is_named(tmp_path: Path, sql: str) -> None:
    """A drop by a short name, of which the listener does not say where it is, once went by without a word."""
    facets = {"jobType": {"integration": "TRINO"}, "sql": {"query": sql}}
    stated = {
        "eventType": "COMPLETE", "eventTime": "2026-01-01T02:00:01.5Z", "run": {"runId": "r"},
        "job": {"namespace": PLACE, "name": "20260101_020001_00001_abcde", "facets": facets},
    }  # fmt: skip
    with EventIntake(Store.create(tmp_path), workers=0) as intake:
        event = intake.read(json.dumps(stated).encode())
        intake.take([event])
        (receipt,) = intake.settle().receipts

    assert isinstance(event, Event)
    assert event.problem is not None
    assert event.problem[0] == "unresolved-name"
    assert "openlineage.sessions" in event.problem[1]
    assert (receipt.status, receipt.coverage) == ("accepted", "partial")
    assert [problem.code for problem in receipt.problems] == ["unresolved-name"]
    assert Store.open(tmp_path).as_of().edges() == []


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("DROP SCHEMA dw CASCADE", "does not name the tables that it drops"),
        ('drop schema if exists hive."d w" cascade;', "does not name the tables that it drops"),
        ("ALTER SCHEMA dw RENAME TO old", "does not name the tables in it"),
        ("-- why\nALTER TABLE sales RENAME COLUMN a TO b", "stays as it was until the table is written again"),
        ("alter table if exists dw.sales drop column if exists a", "stays as it was"),
        ("DROP SCHEMA dw", None), ("DROP SCHEMA dw RESTRICT", None), ("CREATE SCHEMA dw", None),
        ("ALTER TABLE sales ADD COLUMN a int", None), ("SELECT 'drop schema dw cascade'", None),
    ],
)  # fmt: skip
def test_a_change_that_is_not_taken_up_is_a_problem_of_its_event(tmp_path: Path, sql: str, words: str | None) -> None:
    """An empty schema holds no table, and a query that failed changed nothing."""
    failed = query(sql)
    failed["metadata"]["queryState"] = "FAILED"
    with EventIntake(Store.create(tmp_path), workers=0) as intake:
        event, none = (intake.read(json.dumps(each).encode()) for each in (query(sql), failed))

    assert isinstance(event, Event)
    assert isinstance(none, Event)
    assert none.problem is None
    assert (event.problem is None) is (words is None)
    assert words is None or (event.problem is not None and words in event.problem[1])


def test_a_query_says_what_the_facet_says(tmp_path: Path) -> None:
    """A rename in a query, and the same as ``lifecycleStateChange`` of an event, give the same edges and facts."""
    facet = {
        "lifecycleStateChange": "RENAME",
        "previousIdentifier": {"namespace": PLACE, "name": "hive.dw.sales"},
    }
    stated = {
        "eventType": "COMPLETE", "eventTime": "2026-01-01T02:00:01.5Z", "run": {"runId": "r"},
        "job": {"namespace": PLACE, "name": "rename"},
        "outputs": [{"namespace": PLACE, "name": "hive.dw.sold", "facets": {"lifecycleStateChange": facet}}],
    }  # fmt: skip
    take(tmp_path / "text", query("ALTER TABLE sales RENAME TO sold"))
    take(tmp_path / "facet", stated)
    found = []
    for name in ("text", "facet"):
        view = Store.open(tmp_path / name).as_of()
        facts = {(f.node, f.key, f.value) for f in view.facts() if not f.node.startswith("task:")}
        found.append(({(e.source, e.target, e.type, e.subtype) for e in view.edges()}, facts))

    assert found[0] == found[1]
    ends = f"{PLACE}:hive.dw.sales", f"{PLACE}:hive.dw.sold"
    assert found[0][0] == {(ends[0] + each, ends[1] + each, "DIRECT", "IDENTITY") for each in ("", "#*")}


def test_after_a_drop_nobody_declares_the_columns(tmp_path: Path) -> None:
    """A query that drops a table ends what was declared of its columns, from the query on."""
    defined = {
        "eventTime": "2026-01-01T02:00:00Z",
        "dataset": {"namespace": PLACE, "name": "hive.dw.sales", "facets": {"schema": {"fields": [{"name": "a"}]}}},
    }
    take(tmp_path / "s", defined, query("DROP TABLE sales", 3))
    store = Store.open(tmp_path / "s")

    assert [c.column for c in store.as_of("2026-01-01T02:00:02Z").columns()] == ["a"]
    assert store.as_of("2026-01-01T02:00:04Z").columns() == []


def test_the_other_name_of_what_is_dropped_is_kept(tmp_path: Path) -> None:
    """Spark names a table that it drops by its path and its symlink: the alias holds, so that both are known as one."""
    change = {"lifecycleStateChange": {"lifecycleStateChange": "DROP"}}
    names = {"symlinks": {"identifiers": [{"namespace": "hive", "name": "dw.sales", "type": "TABLE"}]}}
    dropped = {"namespace": "file", "name": "/w/dw.db/sales", "facets": {**change, **names}}
    stated = {
        "eventType": "COMPLETE", "eventTime": "2026-01-01T02:00:00Z", "run": {"runId": "r"},
        "job": {"namespace": "spark", "name": "drop"}, "inputs": [], "outputs": [dropped],
    }  # fmt: skip
    take(tmp_path, stated)

    found = {(fact.node, fact.key, fact.value) for fact in Store.open(tmp_path).as_of().facts()}
    assert ("file:/w/dw.db/sales", "alias", "hive:dw.sales") in found
