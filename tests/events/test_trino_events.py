"""Query events of Trino and Presto: what each listener and release sends leads to the same lineage."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ingest.events.intake import EventIntake
from ingest.events.openlineage.queries import fingerprint
from ingest.events.policy import Policies
from ingest.events.policy_file import PolicyFile
from lineage_tt import Store
from lineage_tt.maintenance.agreement import agreement, totals
from lineage_tt.read.observations import observations

Query = dict[str, Any]
SOURCE = {"catalog": "hive", "schema": "ods", "table": "orders", "columnName": "amt"}


def query(
    number: int = 1, sql: str = "insert into sales select sum(amt) total from ods.orders", **context: Any
) -> Query:
    """Return the event of a query that finished."""
    return {
        "metadata": {
            "queryId": f"20260101_02000{number}_00001_abcde", "query": sql, "queryState": "FINISHED",
            "uri": "http://trino:8080/v1/query/1",
            "tables": [{"catalog": "hive", "schema": "ods", "table": "orders", "directlyReferenced": True,
                        "columns": [{"column": "amt"}]}],
        },
        "context": {"catalog": "hive", "schema": "dw", "queryType": "INSERT", "serverVersion": "476", **context},
        "ioMetadata": {
            "inputs": [],
            "output": {"catalogName": "hive", "schema": "dw", "table": "sales", "columns": [
                {"columnName": "total", "columnType": "double", "sourceColumns": [dict(SOURCE)]}]},
        },
        "createTime": f"2026-01-01T02:00:0{number}Z",
        "endTime": f"2026-01-01T02:00:0{number}.5Z",
    }  # fmt: skip


def take(folder: Path, *events: Any, policies: Policies | None = None) -> list[str]:
    """Take events into a store; return the status of each message in the log."""
    with EventIntake(Store.create(folder), policies=policies, workers=1) as intake:
        raw = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in events]
        intake.take([intake.read(one) for one in raw])
        result: list[str] = [receipt.status for receipt in intake.settle().receipts]
        intake.observe()
    return result


def edges(folder: Path) -> set[tuple[str, ...]]:
    """Return all that is in force."""
    return {(e.task_id, e.source, e.target, e.type, e.subtype) for e in Store.open(folder).as_of().edges()}


TASK = f"trino://trino:8080/hive.dw.sales/{fingerprint('insert into sales select sum(amt) total from ods.orders')}"
EDGE = (
    TASK,
    "trino://trino:8080:hive.ods.orders#amt",
    "trino://trino:8080:hive.dw.sales#total",
    "DIRECT",
    "AGGREGATION",
)


def test_listeners_of_a_real_server_give_the_same(shared_dir: Path, tmp_path: Path) -> None:
    """What a stock server's HTTP and OpenLineage listeners sent of the same queries leads to the same edges."""
    data = shared_dir / "data" / "trino_events"
    for name in ("http", "openlineage"):
        lines = gzip.decompress((data / f"{name}.jsonl.gz").read_bytes()).splitlines()
        assert set(take(tmp_path / name, *lines)) == {"accepted"}

    assert len(edges(tmp_path / "http")) == 32
    assert edges(tmp_path / "http") == edges(tmp_path / "openlineage")
    assert totals(agreement(Store.open(tmp_path / "http")))["share"] == 1.0


def test_a_query_reported_twice_counts_once(shared_dir: Path, tmp_path: Path) -> None:
    """A server with both listeners on one store has each query once in the observations."""
    data = shared_dir / "data" / "trino_events"
    files = [gzip.decompress((data / f"{name}.jsonl.gz").read_bytes()).splitlines() for name in ("http", "openlineage")]
    take(tmp_path / "s", *files[0], *files[1], *files[0])

    assert [each.runs for each in observations(tmp_path / "s") if "/reads/" not in each.task_id][:4] == [1, 1, 1, 1]
    assert Store.open(tmp_path / "s").basis().version == 4


@pytest.mark.parametrize("wrapper", ["", "eventPayload"])
def test_records_of_the_kafka_listener_are_unwrapped(tmp_path: Path, wrapper: str) -> None:
    """A query event counts the same in what Kafka's listener puts around it."""
    take(tmp_path / "s", {wrapper: query(), "eventMetadata": {}} if wrapper else query())

    assert EDGE in edges(tmp_path / "s")


def test_other_releases_say_less_and_are_read(tmp_path: Path) -> None:
    """Presto's events have columns as words, times as numbers and no source columns; the text tells the rest."""
    event = query()
    del event["metadata"]["tables"], event["metadata"]["uri"]
    event["context"] |= {"serverVersion": "0.290", "serverAddress": "presto"}
    event["ioMetadata"]["output"] |= {"columns": ["total"]}
    event["ioMetadata"]["inputs"] = [
        {"catalogName": "hive", "schema": "ods", "table": "orders", "columns": ["amt"], "new": {"x": 1}}
    ]
    event |= {"createTime": 1767232800.5, "endTime": 1767232801000, "later": []}
    take(tmp_path / "s", event)

    assert {edge[1:4] for edge in edges(tmp_path / "s") if "#" in edge[2]} == {
        ("presto://presto:hive.ods.orders#amt", "presto://presto:hive.dw.sales#total", "DIRECT")
    }


def test_what_a_run_began_counts_from_its_start(tmp_path: Path) -> None:
    """An event of the end alone tells when the query began: from then on it holds."""
    take(tmp_path / "s", query(3))
    store = Store.open(tmp_path / "s")

    assert store.as_of("2026-01-01T02:00:03Z").edges()
    assert not store.as_of("2026-01-01T02:00:02.9Z").edges()


def test_failed_queries_and_reads_make_no_lineage(tmp_path: Path) -> None:
    """A query that failed says nothing; one that only reads is observed under the tables that it reads."""
    failed, read = query(1), query(2, "select amt from ods.orders", queryType="SELECT")
    failed["metadata"]["queryState"] = "FAILED"
    del read["ioMetadata"]["output"]
    take(tmp_path / "s", failed, read)
    seen = {each.task_id: (each.runs, each.failed) for each in observations(tmp_path / "s")}

    assert edges(tmp_path / "s") == set()
    assert seen["trino://trino:8080/reads/hive.ods.orders"] == (1, 0)


def test_the_same_insert_of_another_day_is_the_same_task(tmp_path: Path) -> None:
    """Literals, comments and layout do not tell tasks apart; a second run makes no version."""
    texts = [
        "insert into sales select sum(amt) total from ods.orders where day = '2026-01-01' and n in (1, 2)",
        "INSERT INTO sales -- nightly\n  select sum(amt) total from ods.orders where day = '2026-01-02' and n in (7)",
    ]
    take(tmp_path / "s", *(query(number, sql) for number, sql in enumerate(texts, 1)))

    assert len({edge[0] for edge in edges(tmp_path / "s")}) == 1
    assert Store.open(tmp_path / "s").basis().version == 1


def test_a_mapping_names_tasks_and_servers(tmp_path: Path) -> None:
    """The template and the namespace of a mapping file count in the place of the defaults."""
    rules = {"task": "trino/{query.user}/{query.tables}", "namespaces": {"trino": "trino://prod"}}
    take(tmp_path / "s", query(user="etl"), policies=Policies(PolicyFile.model_validate(rules)))

    assert {edge[:2] for edge in edges(tmp_path / "s") if "#" in edge[2]} == {
        ("trino/etl/hive.dw.sales", "trino://prod:hive.ods.orders#amt")
    }


def test_engine_and_text_that_differ_are_both_kept_and_counted(tmp_path: Path) -> None:
    """A column that the engine alone knows, and one that the text alone knows, are in force and counted."""
    event = query()
    output = event["ioMetadata"]["output"]["columns"][0]
    output["sourceColumns"] = [{**SOURCE, "columnName": "tax"}]
    take(tmp_path / "s", event)
    (found,) = agreement(Store.open(tmp_path / "s"))

    assert (found.both, found.engine, found.sql) == (0, 1, 1)
    assert {e[1].rpartition("#")[2] for e in edges(tmp_path / "s") if "#" in e[2]} == {"amt", "tax"}


def test_what_is_no_query_event_is_a_dead_letter(tmp_path: Path) -> None:
    """A split event, one without an id and one without a time are kept with the reason; the others continue."""
    nameless, timeless = copy.deepcopy(query()), copy.deepcopy(query())
    del nameless["metadata"]["queryId"], timeless["endTime"], timeless["createTime"]
    assert sorted(take(tmp_path / "s", {"queryId": "q", "stageId": "1"}, nameless, timeless, query())) == [
        "accepted", "rejected", "rejected", "rejected",
    ]  # fmt: skip
    words = " ".join(str(letter.detail) for letter in Store.open(tmp_path / "s").dead_letters())

    assert "log-split=false" in words
    assert "metadata.queryId is missing" in words
