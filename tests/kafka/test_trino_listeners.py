"""A stock Trino server that tells of its queries through three listeners at once: HTTP, OpenLineage and Kafka."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from kafka_runs import done, start
from needs import lacking
from services import Served, serving
from trino_statements import FAILURES, READS, SOME, WRITES
from waiting import until

from lineage_tt import Store
from lineage_tt.maintenance.agreement import agreement, totals
from lineage_tt.read.observations import observations
from scripts.broker_lib.server import Broker
from scripts.broker_lib.topics import create_topic, read_all
from scripts.trino_lib.files import missing
from scripts.trino_lib.server import QueryFailedError, Trino

#: A server with six plugins, a broker and two services start in one fixture, beside the tests of other workers.
pytestmark = pytest.mark.timeout(1200)
PLACE = "trino://trino"
LISTENERS = ("http", "openlineage", "kafka")
#: What a listener of OpenLineage's reports of itself, and what drops and renames.
TYPES = "ALTER_TABLE_EXECUTE,DATA_DEFINITION,DELETE,INSERT,MERGE,UPDATE"
#: The new names and the old ones, the second of which the statement gives without catalog and schema.
RENAMED = [("k2b", "k2"), ("shorter", "short")]
LAST = "create table memory.default.last_one as select custkey from c"


class Told(NamedTuple):
    """The stores into which the listeners' events went, by listener, and the statements that were run."""

    stores: dict[str, Path]
    statements: tuple[str, ...]


@pytest.fixture(
    scope="module",
    params=[pytest.param(SOME, id="some"), pytest.param(WRITES, id="sixty", marks=pytest.mark.slow)],
)
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, broker: Broker) -> Told:
    """Run statements on a server whose listeners have a service each, or a topic."""
    if reason := missing():
        lacking(reason)
    folder = tmp_path_factory.mktemp("trino")
    topic = f"queries-{folder.name}"
    create_topic(broker.address, topic)
    mapping = folder / "mapping.toml"
    settled = f'[openlineage.namespaces]\ntrino = "{PLACE}"\n[openlineage.sessions]\ntrino = "memory.default"\n'
    mapping.write_text(settled, encoding="utf-8")
    stores = {name: folder / name for name in LISTENERS}
    with ExitStack() as stack:
        served = {
            name: stack.enter_context(serving(stores[name], "--no-graph", "--mapping", str(mapping)))
            for name in ("http", "openlineage")
        }
        with Trino(folder / "server", settings(served, broker.address, topic)) as trino:
            for statement in [*request.param, *READS]:
                trino.query(statement)
            for statement in FAILURES:
                with pytest.raises(QueryFailedError):
                    trino.query(statement)
            trino.query(LAST)
            for name in served:
                until(partial(_has_last, stores[name]), f"{name} told all")
            until(lambda: any(b"last_one" in value for value in values(broker, topic)), "the topic has all")
            attached = Path(f"/tmp/.java_pid{trino.pid}")
            assert attached.exists()
        assert not attached.exists()
    uri = f"kafka://{broker.address}/{topic}"  # the services have ended, and written their observations
    given = ("--from", "trino", "--until-end", "--mapping", str(mapping))
    done(start("ingest", uri, "--store", str(stores["kafka"]), *given))
    return Told(stores, request.param)


def settings(served: dict[str, Served], brokers: str, topic: str) -> dict[str, dict[str, str]]:
    """Return the properties of the three listeners."""
    return {
        "http": {
            "event-listener.name": "http", "http-event-listener.log-created": "true",
            "http-event-listener.log-completed": "true",
            "http-event-listener.connect-ingest-uri": f"{served['http'].base}/v1/trino",
        },
        "openlineage": {
            "event-listener.name": "openlineage", "openlineage-event-listener.transport.type": "HTTP",
            "openlineage-event-listener.transport.url": served["openlineage"].base,
            "openlineage-event-listener.trino.uri": "http://trino",
            "openlineage-event-listener.trino.include-query-types": TYPES,
        },
        "kafka": {
            "event-listener.name": "kafka", "kafka-event-listener.broker-endpoints": brokers,
            "kafka-event-listener.publish-created-event": "false",
            "kafka-event-listener.publish-completed-event": "true",
            "kafka-event-listener.completed-event.topic": topic, "kafka-event-listener.client-id": "trino",
        },
    }  # fmt: skip


def values(broker: Broker, topic: str) -> list[bytes]:
    """Return the values of the topic's records."""
    return [bytes(record.value or b"") for record in read_all(broker.address, topic)]


def edges(store: Path) -> set[tuple[str, ...]]:
    """Return all that is in force."""
    found = Store.open(store).as_of().edges()
    return {(e.task_id, e.source, e.target, e.type, e.subtype, e.expression) for e in found}


def _has_last(store: Path) -> bool:
    return any("last_one" in edge[2] for edge in edges(store))


def test_three_listeners_give_the_same_edges(told: Told) -> None:
    """Three listeners of one server, at once: three times the same tasks with the same edges."""
    first, *others = (edges(told.stores[name]) for name in LISTENERS)

    assert len(told.statements) >= (60 if list(told.statements) == list(WRITES) else 15)
    for name, found in zip(LISTENERS[1:], others, strict=True):
        assert found == first, name
    assert {edge[1:5] for edge in first} >= {
        (f"{PLACE}:memory.default.o#totalprice", f"{PLACE}:memory.default.x#p", "DIRECT", "AGGREGATION"),
        (f"{PLACE}:memory.default.k2", f"{PLACE}:memory.default.k2b", "DIRECT", "IDENTITY"),
    }


def test_engine_and_text_agree(told: Told) -> None:
    """Of the pairs of columns, both have 98 in 100; what Trino leaves out is what it unnests."""
    for name in LISTENERS:
        found = agreement(Store.open(told.stores[name]))
        share = totals(found)["share"]
        print(name, totals(found))
        differ = {each.task_id.split("/")[-2] for each in found if each.engine or each.sql}

        assert share is not None
        assert share >= (0.98 if list(told.statements) == list(WRITES) else 0.9), name
        assert "memory.default.n1" in differ
        assert differ <= {"memory.default.n1", "memory.default.n2"}, name
        assert all(not each.engine for each in found), name


def test_what_is_dropped_is_no_longer_declared(told: Told) -> None:
    """DROP and RENAME, of which Trino's events name no table, are read off the text."""
    for name in LISTENERS:
        view = Store.open(told.stores[name]).as_of()
        renamed = {(each.node, each.value) for each in view.facts(key="renamed_from")}

        names = {(f"{PLACE}:memory.default.{new}", f"{PLACE}:memory.default.{old}") for new, old in RENAMED}
        assert renamed == names, name
        assert any(f"{PLACE}/memory.default.tmp1/" in task.task_id for task in view.tasks()), name


def test_queries_that_only_read_make_no_version(told: Told) -> None:
    """SELECTs are observed under the tables that they read; failed ones make no lineage."""
    for name in LISTENERS:
        assert not {edge[0] for edge in edges(told.stores[name]) if "/reads/" in edge[0]}, name
    for name in ("http", "kafka"):  # OpenLineage's listener does not report what only reads
        seen = {each.task_id: each.runs for each in observations(told.stores[name])}
        assert seen[f"{PLACE}/reads/memory.default.o"] == 1, name
        assert seen[f"{PLACE}/reads/lake.dw.orders"] >= 1, name
