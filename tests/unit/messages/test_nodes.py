"""Messages about datasets and facts: what is read from them, and what is refused with words that help."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.messages.mapping import load_mapping
from ingest.messages.native import message_schemas, parse_message
from ingest.messages.nodes import DatasetMessage, FactMessage, as_node_change
from lineage_tt import Store
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import NodeChange, RejectedMessage, TaskChange


def dataset(**fields: Any) -> bytes:
    """A dataset message, some of its fields replaced; None leaves one out."""
    said = {
        "kind": "dataset",
        "event_id": "e1",
        "dataset": "hive:d.t",
        "op": "define",
        "effective_at": 10,
        "columns": [{"name": "a", "type": "INT"}, {"name": "s", "type": "STRUCT", "fields": [{"name": "x"}]}],
    } | fields
    return json.dumps({name: value for name, value in said.items() if value is not None}).encode()


def fact(**fields: Any) -> bytes:
    """A fact message, some of its fields replaced; None leaves one out."""
    said = {"kind": "fact", "event_id": "e1", "node": "hive:d.t#a", "key": "label", "op": "set", "effective_at": 10}
    said |= {"values": ["pii"]} | fields
    return json.dumps({name: value for name, value in said.items() if value is not None}).encode()


def test_a_dataset_message_gives_columns_and_the_fields_inside_them() -> None:
    """Fields of structs are named by their paths, after their column."""
    message = parse_message(dataset(owners=["ann"]))

    assert isinstance(message, NodeChange)
    assert [Field("a", "INT"), Field("s", "STRUCT"), Field("s.x", nested=True)] == message.fields
    assert message.facts == [("hive:d.t", "owner", "ann")]


def test_labels_and_descriptions_of_columns_are_facts_about_them() -> None:
    """What a column says beside its type is under the column's node."""
    columns = [{"name": "s", "fields": [{"name": "x", "labels": ["pii"], "description": "an address"}]}]
    message = parse_message(dataset(columns=columns))

    assert isinstance(message, NodeChange)
    assert {("hive:d.t#s.x", "label", "pii"), ("hive:d.t#s.x", "description", "an address")} == set(message.facts)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (dataset(columns=[]), "define needs some; send drop for none"),
        (dataset(op="drop"), "drop says that there are none"),
        (dataset(op="drop", columns=None, effective_at=None), "effective_at: missing"),
        (dataset(op="retract", columns=None), "a retract names the event_id"),
        (dataset(columns=[{"name": "a"}, {"name": "a"}]), "the name 'a' occurs more than once"),
        (dataset(columns=[{"name": "a", "field_id": 1}, {"name": "b", "field_id": 1}]), "the field_id 1 occurs more"),
        (dataset(columns=[{"name": "a", "field_id": 0}]), "from 1 on"),
        (dataset(columns=[{"type": "INT"}]), "columns.0.name: is missing"),
        (dataset(dataset="hive:d.t#a"), "is a column; give the dataset"),
        (dataset(dataset="d.t"), "has no namespace"),
        (dataset(op="alter"), "op: must be 'define', 'drop' or 'retract'"),
        (fact(values=[]), "set needs some; send clear for none"),
        (fact(key=None), "key: is missing"),
        (fact(node="nowhere"), "has no namespace"),
        (
            b'{"kind": "table", "event_id": "e", "task_id": "t", "op": "offline", "effective_at": 1}',
            "kind: must be 'task', 'dataset', 'fact', 'alias', 'edge' or 'annotation'",
        ),
        (b'{"kind": "fact", "event_id": "e", "event_id": "f"}', "occurs more than once"),
    ],
)
def test_a_message_that_contradicts_itself_is_refused_in_words(raw: bytes, words: str) -> None:
    """The refusal keeps the bytes and says what to fix."""
    refused = parse_message(raw)

    assert isinstance(refused, RejectedMessage)
    assert raw == refused.raw
    assert words in refused.detail


def test_deep_structs_are_refused() -> None:
    """Nesting has an end."""
    column: dict[str, Any] = {"name": "x"}
    for _ in range(60):
        column = {"name": "x", "fields": [column]}

    refused = parse_message(dataset(columns=[column]))

    assert isinstance(refused, RejectedMessage)
    assert "levels deep" in refused.detail


def test_a_task_message_states_facts_about_the_task(tmp_path: Path) -> None:
    """Owners and a priority hold as long as the message does."""
    said = {
        "event_id": "e",
        "task_id": "t",
        "op": "online",
        "effective_at": 1,
        "edges": [],
        "owners": "ann",
        "priority": 1,
    }
    message = parse_message(json.dumps(said).encode())
    assert isinstance(message, TaskChange)
    store = Store.create(tmp_path)
    store.append([message, TaskChange("f", "t", "offline", 9)])

    assert [(f.key, f.value) for f in store.as_of(5).facts("task:t")] == [("owner", "ann"), ("priority", "1")]
    assert store.as_of(9).facts("task:t") == []


def test_the_latest_fact_message_of_a_node_and_key_counts(tmp_path: Path) -> None:
    """Setting a key's values takes the place of those before; other keys stay."""
    store = Store.create(tmp_path)
    raws = (
        fact(),
        fact(event_id="e2", values=["gdpr"], effective_at=20),
        fact(event_id="o", key="owner", values=["ann", "bob"]),
        fact(event_id="e3", op="clear", values=None, effective_at=30),
    )
    store.append([parse_message(raw) for raw in raws])

    found = [[(f.key, f.value) for f in store.as_of(at).facts("hive:d.t#a")] for at in (15, 25, 35)]
    owners = [("owner", "ann"), ("owner", "bob")]
    assert [[("label", "pii"), *owners], [("label", "gdpr"), *owners], owners] == found


def test_a_renamed_column_keeps_its_id_and_its_history(tmp_path: Path) -> None:
    """History under the new name shows what was believed under the old one, and a new column of that name does not."""
    store = Store.create(tmp_path)
    edge = {"source": "hive:d.s#v", "target": "hive:d.t#a"}
    task = {"event_id": "t1", "task_id": "t", "op": "online", "effective_at": 10, "edges": [edge]}
    raws = (
        dataset(),
        json.dumps(task).encode(),
        dataset(event_id="e2", effective_at=20, columns=[{"name": "b", "renamed_from": "a"}, {"name": "c"}]),
        dataset(event_id="e3", effective_at=30, columns=[{"name": "b"}, {"name": "a"}]),
    )
    store.append([parse_message(raw) for raw in raws])

    ids = {column.column: column.field_id for column in store.as_of(35).columns("hive:d.t")}
    assert ids == {"b": 1, "a": 5}
    assert [belief.target for belief in store.history("hive:d.t#b")] == ["hive:d.t#a"]


@pytest.mark.long
def test_a_column_that_a_late_declaration_begins_is_the_one_declared_after_it(tmp_path: Path) -> None:
    """The same declarations in two orders: one id, one interval; a renamed column keeps the id of its old name."""
    said = [
        dataset(columns=[{"name": "a"}]),
        dataset(event_id="e2", effective_at=20, columns=[{"name": "a"}, {"name": "new"}]),
        dataset(event_id="e3", effective_at=30, columns=[{"name": "b", "renamed_from": "a"}, {"name": "new"}]),
    ]
    late = dataset(event_id="e4", effective_at=25, columns=[{"name": "a"}, {"name": "b"}, {"name": "new"}])
    found = []
    for number, order in enumerate([(0, 1, 2), (0, 2, 1)]):
        store = Store.create(tmp_path / str(number))
        for each in order:
            store.append([parse_message(said[each])])
        found.append([(c.column, c.field_id, c.valid_from) for at in (25, 35) for c in store.as_of(at).columns()])

    assert found[0] == [("a", 1, 10), ("new", 2, 20), ("b", 1, 30), ("new", 2, 20)]
    assert found[1] == found[0]
    store.append([parse_message(late)])
    assert [(c.column, c.field_id) for c in store.as_of(25).columns()] == [("a", 1), ("b", 3), ("new", 2)]


def test_the_published_schemas_name_every_kind() -> None:
    """Each kind of message has a JSON Schema."""
    names = {"task-change", "dataset-change", "fact-change", "alias-change", "edge-change", "annotation-change"}
    assert names == set(message_schemas())


def test_the_real_streams_schemas_are_dataset_messages(shared_dir: Path) -> None:
    """The shipped mapping reads every schema message of the sample, and refuses none."""
    mapping = load_mapping("bqetl_stream")
    lines = (shared_dir / "data" / "bqetl_stream" / "sample-200-schemas.jsonl").read_bytes().splitlines()
    messages = [mapping.apply(json.loads(line), line, number) for number, line in enumerate(lines)]

    assert len(messages) == 179
    assert all(isinstance(message, NodeChange) for message in messages)


def test_only_an_empty_field_of_a_definition_clears_it() -> None:
    """A dataset's other words stay as they are; a fact clears nothing beside its key."""
    said = {"kind": "dataset", "event_id": "e", "dataset": "n:a", "effective_at": 5, "columns": [{"name": "x"}]}
    own = {"op": "define", "owners": [], "description": "", "labels": ["pii"]}
    cleared = DatasetMessage.model_validate(said | own)
    stated = {"kind": "fact", "event_id": "e", "node": "n:a", "key": "k", "op": "set", "effective_at": 5}
    fact = FactMessage.model_validate(stated | {"values": ["b", "a", "a"]})

    assert sorted(as_node_change(cleared, b"", None).cleared) == ["description", "owner"]
    assert as_node_change(fact, b"raw", 7).cleared == ()
    assert as_node_change(fact, b"raw", 7).facts == [("n:a", "k", "a"), ("n:a", "k", "b")]
