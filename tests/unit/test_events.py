"""Events: their classes, their parts, their order, and the schema that stays compatible."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from lineage_tt import Store
from lineage_tt.events import CLASSES, event_of, signed_facts
from lineage_tt.feed.changes import entry_of
from lineage_tt.feed.parts import Sequencer, join, split
from lineage_tt.feed.records import record_of, state_records
from lineage_tt.model.errors import CorruptError, GapError
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import NodeChange
from lineage_tt.model.times import parse_instant
from lineage_tt.schemas import NAMES, event_schemas
from lineage_tt.testing import ManualClock, task_change

NOW = "2024-05-01T12:00:00Z"
EARLIER, LATER, MUCH_LATER = "2024-05-01T10:00:00Z", "2024-05-02T00:00:00Z", "2024-06-01T00:00:00Z"
X, Y = ("n:a#x", "n:b#x"), ("n:a#y", "n:b#y")
#: What version 1 of the schemas looked like when it was published; never to be changed.
RELEASED = Path(__file__).resolve().parents[1] / "data"


def told(folder: Path, *messages: Any) -> list[dict[str, Any]]:
    """The events of a store that took these messages at noon."""
    store = Store.create(folder, clock=ManualClock(NOW))
    store.append(list(messages))
    return [event_of(entry, "id") for entry in store.changes()]


def classes(folder: Path, *messages: Any) -> set[str]:
    """The classes of the last event."""
    return set(told(folder, *messages)[-1]["data"]["classes"])


def update(at: str, *edges: tuple[str, ...], op: str = "update", **more: Any) -> Any:
    """A message of task t."""
    return task_change("t", op, at, edges, **more)  # type: ignore[arg-type]


def test_the_envelope(tmp_path: Path) -> None:
    """Id, source, subject, time and sequence come from the store and the version alone."""
    first, second = told(tmp_path, update(EARLIER, X), update(NOW, X, Y))

    assert (first["id"], first["source"], first["subject"]) == ("1", "urn:lineage-tt:store:id", "t")
    assert (first["specversion"], first["type"]) == ("1.0", "io.lineage-tt.lineage.changed.v1")
    assert first["sequence"] < second["sequence"]
    assert second["data"]["previous_version"] == first["data"]["version"] == 1
    assert record_of(first).key == b"t"


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([update(NOW, X)], {"edge-added", "column-added"}),
        ([update(EARLIER, X), update(NOW, X, Y)], {"edge-added", "column-added"}),
        ([update(EARLIER, X, Y), update(NOW, X)], {"edge-removed", "column-removed"}),
        ([update(EARLIER, X), update(NOW, X, ("n:a#z", "n:b#x"))], {"edge-added"}),
        (
            [update(EARLIER, X), update(NOW, (*X, "DIRECT", "AGGREGATION", "sum(x)"))],
            {"transformation-changed"},
        ),
        ([update(EARLIER, X), update(NOW, op="offline")], {"edge-removed", "column-removed", "task-offline"}),
        ([update(LATER, X)], {"edge-added", "column-added", "planned-for-the-future"}),
        ([update(NOW, X), update(EARLIER, Y)], {"edge-added", "column-added", "correction-of-the-past"}),
        ([update(MUCH_LATER, X), update(LATER, Y)], {"edge-added", "column-added", "planned-for-the-future"}),
        (
            [update(EARLIER, X, event_id="a"), update(EARLIER, Y, event_id="b")],
            {"edge-added", "edge-removed", "column-added", "column-removed", "correction-of-the-past"},
        ),
        (
            [update(EARLIER, X, event_id="a"), task_change("t", "retract", retracts="a")],
            {"edge-removed", "column-removed", "correction-of-the-past"},
        ),
    ],
)
def test_classes(tmp_path: Path, messages: list[Any], expected: set[str]) -> None:
    """Each kind of change is named; an ordinary message that comes a little late is not a correction of the past."""
    assert classes(tmp_path, *messages) == expected
    assert expected <= set(CLASSES)


def test_an_update_shows_before_and_after(tmp_path: Path) -> None:
    """Another transformation between the same columns is one update over its stretch."""
    event = told(tmp_path, update(EARLIER, X), update(NOW, (*X, "DIRECT", "AGGREGATION", "sum(x)")))[-1]

    (change,) = event["data"]["changes"]
    assert change["op"] == "update"
    assert (change["before"]["subtype"], change["after"]["subtype"]) == ("IDENTITY", "AGGREGATION")
    assert (change["valid_from"], change["valid_to"]) == (NOW, None)


def test_facts(tmp_path: Path) -> None:
    """Facts of a row come as updates where a node has one value, as insert and delete where it may have several."""
    row: dict[str, Any] = {
        "version": 3,
        "system_time": 10,
        "task_id": None,
        "event_id": "e",
        "op": "define",
        "effective_at": 5,
    }
    row |= dict.fromkeys(("actor", "reason", "cause")) | {
        "edges": [],
        "changes": [],
        "kind": "dataset",
        "subject": "n:b",
    }
    row["fact_changes"] = [
        (-1, "n:b#x", "column", '{"type":"int"}', 5, None),
        (1, "n:b#x", "column", '{"type":"bigint"}', 5, None),
        (-1, "n:b", "label", "pii", 5, None),
        (1, "n:b", "label", "gold", 5, None),
        (1, "n:b", "owner", "ann", 5, 9),
    ]
    entry = entry_of(row, 2)
    assert entry is not None
    event = event_of(entry, "id")

    assert event["subject"] == "n:b"
    assert sorted((f["key"], f["op"]) for f in event["data"]["facts"]) == [
        ("column", "update"), ("label", "delete"), ("label", "insert"), ("owner", "insert"),
    ]  # fmt: skip
    assert {"column-changed", "label-changed", "owner-changed"} <= set(event["data"]["classes"])
    assert sorted(signed_facts(event)) == sorted((c[0], c[1:4], c[4], c[5]) for c in row["fact_changes"])
    assert jsonschema_rs.is_valid(event_schemas()["lineage-changed"], event)


def sample(version: int, previous: int, edges: int = 1) -> dict[str, Any]:
    """An event made by hand."""
    edge = {"task_id": "t", "source": "n:a#x", "target": "n:b#y", "type": "DIRECT", "subtype": "IDENTITY"}
    changes = [
        {"op": "insert", "before": None, "after": edge | {"expression": f"e{n}"}, "valid_from": NOW, "valid_to": None}
        for n in range(edges)
    ]
    data = {"version": version, "previous_version": previous, "changes": changes, "facts": []}
    columns = {"columns_added": [f"n:b#c{n}" for n in range(edges // 2)], "columns_removed": []}
    return {"id": str(version), "type": "io.lineage-tt.lineage.changed.v1", "data": data | columns}


@pytest.mark.parametrize("edges", [1, 2, 40, 333])
def test_parts_fit_and_join(edges: int) -> None:
    """Cut at any size, each part fits, has its own id and number, and together they are the event."""
    event = sample(7, 3, edges)
    for most in (600, 1000, 5000, 10**6):
        parts = split(event, most)
        assert all(len(json.dumps(part, separators=(",", ":"))) <= most for part in parts)
        assert len({part["id"] for part in parts}) == len(parts)
        assert join(parts) == event


def test_versions_come_once_in_order_out_of_several_partitions() -> None:
    """Doubled, cut, and shuffled between partitions, every version comes once, whole, after the one before it."""
    draw = random.Random(5)
    for _ in range(50):
        versions = sorted(draw.sample(range(1, 60), 12))
        events = [sample(v, p, draw.choice((1, 30))) for v, p in zip(versions, [0, *versions], strict=False)]
        lanes: list[list[dict[str, Any]]] = [[], [], []]
        for event in events:
            lane = draw.choice(lanes)
            parts = split(event, 1500)
            lane += parts * draw.choice((1, 1, 2))
        reader, found = Sequencer(), []
        while any(lanes):
            lane = draw.choice([each for each in lanes if each])
            found += list(reader.take(lane.pop(0)))
        assert found == events
        assert reader.blocked is None


def test_a_gap_is_told_with_its_versions() -> None:
    """Where the version before an event never came, the error names what is missing and where to start from."""
    reader = Sequencer(4)
    assert list(reader.take(sample(9, 7))) == []
    assert reader.blocked == 7

    with pytest.raises(GapError) as raised:
        reader.refuse()
    assert (raised.value.after, raised.value.first, raised.value.snapshot) == (4, 7, 7)
    assert "versions 5 to 7" in str(raised.value)
    assert raised.value.exit_status == 3


def test_a_reader_that_holds_more_than_the_event_before_goes_on() -> None:
    """A cursor between two versions that changed something has no gap."""
    reader = Sequencer(8)

    assert [e["data"]["version"] for e in reader.take(sample(9, 7))] == [9]
    assert list(reader.take(sample(9, 7))) == []


def test_a_record_of_current_state_is_no_history(tmp_path: Path) -> None:
    """A reader of changes refuses records of the topic of current state by name."""
    store = Store.create(tmp_path, clock=ManualClock(NOW))
    store.append([update(NOW, X)])
    record = next(state_records(next(iter(store.changes())), store.id))
    event = json.loads(record.value or b"")

    assert jsonschema_rs.is_valid(event_schemas()["lineage-state"], event)
    with pytest.raises(CorruptError, match="current state"):
        list(Sequencer().take(event))


def breaks(old: Any, new: Any, where: str = "$") -> list[str]:
    """What an event valid under ``new`` may lack, or hold otherwise, for a reader made for ``old``."""
    result = []
    if isinstance(old, dict) and isinstance(new, dict):
        result += [
            f"{where}: {name} no longer required"
            for name in set(old.get("required", [])) - set(new.get("required", []))
        ]
        for name in ("properties", "$defs"):
            result += [f"{where}.{name}: {key} is gone" for key in set(old.get(name, {})) - set(new.get(name, {}))]
            for key in set(old.get(name, {})) & set(new.get(name, {})):
                result += breaks(old[name][key], new[name][key], f"{where}.{key}")
        for name in ("type", "const", "enum", "format", "$ref", "pattern", "items", "anyOf"):
            if name == "items" and "items" in old and "items" in new:
                result += breaks(old["items"], new["items"], f"{where}[]")
            elif old.get(name) != new.get(name):
                result.append(f"{where}: {name} was {old.get(name)}, is {new.get(name)}")
    return result


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_compatible_with_what_was_released(name: str) -> None:
    """Version 1 may gain fields; none is removed, made optional, or given another type."""
    released = json.loads((RELEASED / NAMES[name]).read_text())

    assert breaks(released, event_schemas()[name]) == []
    assert released["$id"] == event_schemas()[name]["$id"]


def test_the_compatibility_test_finds_breaks() -> None:
    """A field removed, made optional or of another type is found; a field added is none."""
    old = event_schemas()["lineage-changed"]

    def changed(change: Any) -> list[str]:
        new = json.loads(json.dumps(old))
        change(new["properties"]["data"])
        return breaks(old, new)

    assert changed(lambda data: data["properties"].update(more={"type": "string"})) == []
    assert changed(lambda data: data["properties"].pop("actor"))
    assert changed(lambda data: data["required"].remove("version"))
    assert changed(lambda data: data["properties"]["version"].update(type="string"))
    assert changed(lambda data: data["properties"]["classes"]["items"].update(type="integer"))


def test_messages_about_nodes_are_events_too(tmp_path: Path) -> None:
    """A dataset's columns and a label that comes and goes are events with facts, under the node."""
    store = Store.create(tmp_path, clock=ManualClock(NOW))
    at = parse_instant(EARLIER)
    store.append(
        [
            NodeChange("1", "dataset", "n:b", "define", at, fields=[Field("x", "int")]),
            NodeChange("2", "dataset", "n:b", "define", at + 1, fields=[Field("x", "bigint"), Field("y", "int")]),
            NodeChange("3", "fact", "n:b", "set", at, fact_key="label", facts=[("n:b", "label", "pii")]),
            NodeChange("4", "fact", "n:b", "clear", at + 5, fact_key="label"),
        ]
    )
    events = [event_of(entry, store.id) for entry in store.changes()]

    valid = jsonschema_rs.validator_for(event_schemas()["lineage-changed"]).is_valid
    assert all(valid(event) for event in events)
    assert [event["subject"] for event in events] == ["n:b"] * 4
    assert [event["data"]["kind"] for event in events] == ["dataset", "dataset", "fact", "fact"]
    assert [sorted(f["op"] for f in event["data"]["facts"]) for event in events] == [
        ["insert"], ["insert", "update"], ["insert"], ["delete"],
    ]  # fmt: skip
    assert {"column-added", "column-changed"} <= set(events[1]["data"]["classes"])
    assert events[3]["data"]["classes"] == ["label-changed"]
