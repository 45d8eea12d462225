"""Names that events give a dataset beside its own: lineage goes over them."""

from __future__ import annotations

from pathlib import Path

from run_events import HOUR, START, Event, a_run, dataset, dataset_event, event, take

from lineage_tt import Store
from lineage_tt.curation.statements import aliases

OTHER = {"identifiers": [{"namespace": "hive://metastore", "name": "dw.b", "type": "TABLE"}]}


def reader(at: int) -> list[Event]:
    """Return a run that reads the other name."""
    said: Event = {
        "inputs": [{"namespace": "hive://metastore", "name": "dw.b", "facets": {}}],
        "outputs": [dataset("c", columnLineage=_from_other())],
    }
    return [event("START", at, "reader", "r9"), event("COMPLETE", at + 1_000_000, "reader", "r9", **said)]


def _from_other() -> Event:
    other = {"namespace": "hive://metastore", "name": "dw.b", "field": "y"}
    return {"fields": {"z": {"inputFields": [other]}}}


def writer(at: int, run: str) -> list[Event]:
    """Return a run whose output has another name."""
    events = a_run(at, "writer", run)
    events[1]["outputs"][0]["facets"]["symlinks"] = OTHER
    return events


def test_lineage_goes_over_a_symlink_of_a_run(tmp_path: Path) -> None:
    """From the reader of one name to what the writer of the other reads; a second run like it makes no version."""
    take(tmp_path, writer(START, "r1"), reader(START + HOUR))
    store = Store.open(tmp_path)
    (alias,) = aliases(store.fetch, store.basis())
    assert (alias.dataset, alias.alias) == ("db:b", "hive://metastore:dw.b")
    assert alias.reason == "named so by the job etl/writer"
    assert "db:a#x" in store.as_of().upstream("db:c#z").nodes
    assert ("db:b", "alias", "hive://metastore:dw.b") in {(f.node, f.key, f.value) for f in store.as_of().facts()}

    assert take(tmp_path, writer(START + 2 * HOUR, "r2")) == []


def test_a_symlink_ends_where_a_dataset_event_says_so(tmp_path: Path) -> None:
    """Deleted, the facet names nothing any more, from the time of the event on."""
    gone = dataset_event(START + 3 * HOUR, "b", symlinks={"_deleted": True})
    take(tmp_path, [dataset_event(START, "b", symlinks=OTHER)], reader(START + HOUR), [gone])
    store = Store.open(tmp_path)

    assert len(aliases(store.fetch, store.basis(START + 2 * HOUR))) == 1
    assert aliases(store.fetch, store.basis(START + 4 * HOUR)) == []
