"""A stock Trino server that tells a service of its queries through two listeners at once."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from needs import lacking
from services import Served, serving
from trino_statements import FAILURES, READS, WRITES
from waiting import until

from lineage_tt import Store
from lineage_tt.maintenance.agreement import agreement, totals
from lineage_tt.read.observations import observations
from scripts.trino_lib.files import missing
from scripts.trino_lib.server import QueryFailedError, Trino

PLACE = "trino://trino"


class Told:
    """The stores into which the listeners' events went, and the statements that were run."""

    def __init__(self, stores: dict[str, Path], queries: int) -> None:
        self.stores = stores
        self.queries = queries


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Run all statements on a server whose HTTP and OpenLineage listeners each have a service of their own."""
    if reason := missing():
        lacking(reason)
    folder = tmp_path_factory.mktemp("trino")
    mapping = folder / "mapping.toml"
    mapping.write_text(f'[openlineage.namespaces]\ntrino = "{PLACE}"\n', encoding="utf-8")
    stores = {name: folder / name for name in ("http", "openlineage")}
    with ExitStack() as stack:
        served: dict[str, Served] = {
            name: stack.enter_context(serving(store, "--no-graph", "--mapping", str(mapping)))
            for name, store in stores.items()
        }
        listeners = {
            "http": {
                "event-listener.name": "http", "http-event-listener.log-created": "true",
                "http-event-listener.log-completed": "true",
                "http-event-listener.connect-ingest-uri": f"{served['http'].base}/v1/trino",
            },
            "openlineage": {
                "event-listener.name": "openlineage", "openlineage-event-listener.transport.type": "HTTP",
                "openlineage-event-listener.transport.url": served["openlineage"].base,
                "openlineage-event-listener.trino.uri": "http://trino",
            },
        }  # fmt: skip
        with Trino(folder / "server", listeners) as trino:
            for statement in [*WRITES, *READS]:
                trino.query(statement)
            for statement in FAILURES:
                with pytest.raises(QueryFailedError):
                    trino.query(statement)
            trino.query("create table memory.default.last_one as select custkey from c")
            for store in stores.values():
                until(lambda store=store: any("last_one" in e[2] for e in edges(store)), "the last event is there")
    return Told(stores, len(WRITES))  # the services have ended, and written their observations


def edges(store: Path) -> set[tuple[str, ...]]:
    """Return all that is in force."""
    found = Store.open(store).as_of().edges()
    return {(e.task_id, e.source, e.target, e.type, e.subtype, e.expression) for e in found}


def test_listeners_give_the_same_edges(told: Told) -> None:
    """HTTP and OpenLineage listener of one server lead to the same tasks with the same edges, of sixty statements."""
    assert told.queries >= 60
    http, openlineage = (edges(told.stores[name]) for name in ("http", "openlineage"))

    assert http == openlineage
    assert (f"{PLACE}:memory.default.o#totalprice", f"{PLACE}:memory.default.x#p", "DIRECT", "AGGREGATION") in {
        edge[1:5] for edge in http
    }


def test_engine_and_text_agree(told: Told) -> None:
    """Of the pairs of columns, both have 98 in 100; what Trino leaves out is what it unnests."""
    found = agreement(Store.open(told.stores["http"]))
    share = totals(found)["share"]
    differ = {each.task_id.split("/")[-2] for each in found if each.engine or each.sql}

    assert share is not None
    assert share >= 0.98
    assert differ == {"memory.default.n1", "memory.default.n2"}
    assert all(not each.engine for each in found)


def test_queries_that_only_read_make_no_version(told: Told) -> None:
    """SELECTs are observed under the tables that they read; failed ones make no lineage."""
    for store in told.stores.values():
        tasks = {edge[0] for edge in edges(store)}
        assert not {task for task in tasks if "/reads/" in task}
    seen = {each.task_id: each.runs for each in observations(told.stores["http"])}

    assert seen[f"{PLACE}/reads/memory.default.o"] == 1
    assert seen[f"{PLACE}/reads/lake.dw.orders"] >= 1
