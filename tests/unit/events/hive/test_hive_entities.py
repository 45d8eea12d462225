"""The entities in messages of Atlas' hooks."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import pytest

from ingest.events.hive import entities
from ingest.events.hive.entities import Entity, Message, Name, looks_like, name_of


def table(name: str, **more: Any) -> dict[str, Any]:
    """A table of Hive, as Atlas 1 and later describe it."""
    return {"typeName": "hive_table", "attributes": {"qualifiedName": name, **more}}


def created(*listed: Any, **more: Any) -> dict[str, Any]:
    """A message about new entities."""
    return {"message": {"type": "ENTITY_CREATE_V2", "user": "etl", "entities": {"entities": list(listed), **more}}}


def names(message: Message) -> list[str]:
    """What the entities are called."""
    return [each.name for each in message.entities]


@pytest.mark.parametrize(
    ("given", "expected"),
    [({"message": {"type": "ENTITY_CREATE_V2"}}, True), ({"type": "ENTITY_DELETE"}, True), ({"type": "RUN"}, False),
     ({"message": "H4sI", "msgCompressionKind": "GZIP"}, True), ({"message": "H4sI"}, False),
     ({"message": {"type": None}}, False), ({"message": {}, "type": "ENTITY_CREATE"}, False), ({}, False)],
)  # fmt: skip
def test_a_message_of_a_hook_says_what_happened_to_entities(given: dict[str, Any], expected: bool) -> None:
    """One that is packed is known by how."""
    assert looks_like(given) is expected


def test_a_message_says_what_happened_and_who_did_it() -> None:
    """Version 2 names it with an ending; entities come in their order."""
    message = Message(created(table("a@c"), table("b@c")))

    assert (message.kind, message.user, names(message)) == ("ENTITY_CREATE", "etl", ["a@c", "b@c"])
    assert Message({"type": "entity_delete", "user": 7}).kind == "ENTITY_DELETE"
    assert Message({"type": "entity_delete", "user": 7}).user == ""


def test_entities_before_atlas_1_have_values_and_an_id_of_their_own() -> None:
    """A list without anything around it, or one entity."""
    old = {"typeName": "hive_table", "id": {"id": "-1"}, "values": {"qualifiedName": "a@c"}}

    assert names(Message({"message": {"type": "ENTITY_CREATE", "entities": [old]}})) == ["a@c"]
    assert names(Message({"type": "ENTITY_FULL_UPDATE", "entity": old})) == ["a@c"]
    assert names(Message({"type": "ENTITY_FULL_UPDATE_V2", "entity": {"entity": table("b@c")}})) == ["b@c"]


def test_a_reference_is_the_entity_that_it_refers_to() -> None:
    """By its guid, wherever in the message that is described; else it has the name that it gives."""
    column = {"typeName": "hive_column", "guid": "-2", "attributes": {"qualifiedName": "a.x@c", "type": "int"}}
    reference = {"typeName": "hive_column", "guid": "-2"}
    unique = {"typeName": "hive_column", "uniqueAttributes": {"qualifiedName": "a.y@c"}}
    listed = [reference, unique, {"guid": "-3"}, 7, None]
    message = Message(created(table("a@c", columns=listed, db=reference), referredEntities={"-2": column}))
    found = message.those(message.entities[0].attributes, "columns")

    assert [(each.name, each.text("type")) for each in found] == [("a.x@c", "int"), ("a.y@c", "")]
    assert [each.name for each in message.those(message.entities[0].attributes, "db")] == ["a.x@c"]
    assert message.those(message.entities[0].attributes, "none") == []


def test_entities_that_are_only_referred_to_come_after_the_others() -> None:
    """Each once."""
    beside = {"typeName": "hive_column", "guid": "-2", "attributes": {"qualifiedName": "a.x@c"}}
    first = {"guid": "-1", **table("a@c")}

    assert names(Message(created(first, referredEntities={"-1": first, "-2": beside}))) == ["a@c", "a.x@c"]


def test_what_is_related_counts_after_what_is_an_attribute() -> None:
    """Atlas 2 puts references among the relations."""
    related = {"relationshipAttributes": {"owner": "bo", "more": "b"}}
    message = Message(created({**table("a@c", owner="al"), **related}))

    assert (message.entities[0].text("owner"), message.entities[0].text("more")) == ("al", "b")


def test_an_update_in_part_says_what_the_entity_was_called() -> None:
    """The update of a whole entity gives nothing."""
    former = {"typeName": "hive_table", "uniqueAttributes": {"qualifiedName": "old@c"}}
    message = Message({"message": {"type": "ENTITY_PARTIAL_UPDATE_V2", "entityId": former, "entity": table("new@c")}})

    assert (message.former.name if message.former else None, names(message)) == ("old@c", ["new@c"])
    assert Message(created(table("a@c"))).former is None


@pytest.mark.parametrize(
    "given", [{"typeName": "hive_table"}, {"attributes": {"qualifiedName": "a"}}, table(""), 7, None]
)
def test_what_has_no_type_or_no_name_is_no_entity(given: Any) -> None:
    """The others of its message count."""
    assert names(Message(created(given, table("b@c")))) == ["b@c"]


def test_a_process_reads_and_writes_others() -> None:
    """The lineage of a column does, too, and is none; a list is enough, an attribute of another shape is not."""
    reads: dict[str, Any] = {"inputs": []}

    assert Entity("spark_process", "p", reads).is_process
    assert not Entity("spark_process", "p", {"inputs": None}).is_process
    assert not Entity("hive_column_lineage", "p", reads).is_process
    assert Entity("hive_column_lineage", "p", reads).is_column_lineage
    assert [Entity(kind, "t").is_table for kind in ("hive_table", "hive_column", "table")] == [True, False, False]


def test_a_text_is_the_first_that_is_there() -> None:
    """Without the space around it; blanks and numbers are none."""
    found = Entity("k", "n", {"a": " ", "b": 7, "c": " x ", "d": "y"})

    assert (found.text("a", "b", "c", "d"), found.text("a", "b", "none")) == ("x", "")


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [("hive_table", "dw.sales@prod", Name("hive://h", "dw.sales")),
     ("spark_table", "dw.sales", Name("hive://h", "dw.sales")),
     ("hive_column", "dw.sales.x@prod", Name("hive://h", "dw.sales", "x")), ("hive_column", "x@prod", None),
     ("hive_column", "dw.sales.@prod", None),
     ("hdfs_path", "hdfs://nn:8020/a/b@prod", Name("hdfs://nn:8020", "/a/b")),
     ("aws_s3", "s3://bucket", Name("s3://bucket", "/")),
     ("hbase_table", "ns:t@prod", Name("hbase", "ns:t")), ("rdbms_column", "db.t.c@x", Name("rdbms", "db.t", "c"))],
)  # fmt: skip
def test_a_dataset_is_called_by_what_precedes_the_cluster(kind: str, name: str, expected: Name | None) -> None:
    """A path by its place and the way in it; tables of other systems are of those."""
    assert name_of(Entity(kind, name), "hive://h") == expected


def packed(document: Any) -> str:
    """A message as the hook packs it."""
    return base64.b64encode(gzip.compress(json.dumps(document).encode())).decode()


def test_a_packed_message_is_unpacked() -> None:
    """With or without the envelope inside; a text that is not packed is JSON."""
    inside = created(table("a@c"))

    for text in (packed(inside), packed(inside["message"])):
        assert names(Message({"message": text, "msgCompressionKind": "gzip"})) == ["a@c"]
    assert names(Message({"message": json.dumps(inside), "msgSplitCount": 1})) == ["a@c"]


@pytest.mark.parametrize(
    ("given", "words"),
    [({"message": "x", "msgSplitCount": 2}, "several records"), ({"message": "x", "msgCompressionKind": "LZ4"}, "LZ4"),
     ({"message": "x", "msgCompressionKind": "GZIP"}, "cannot be unpacked"), ({"message": "{"}, "cannot be unpacked"),
     ({"message": base64.b64encode(b"no gzip").decode(), "msgCompressionKind": "GZIP"}, "cannot be unpacked"),
     ({"message": "[1]"}, "must be an object"), ({"message": 7}, "must be an object")],
)  # fmt: skip
def test_a_message_that_cannot_be_read_is_refused_with_the_reason(given: dict[str, Any], words: str) -> None:
    """A part of a message says nothing by itself."""
    with pytest.raises(ValueError, match=words):
        Message(given)


def test_a_message_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not unpacked further than that."""
    monkeypatch.setattr(entities, "MAX_UNPACKED", 1000)
    small, large = packed(created(table("a@c"))), packed(created(table("a" * 2000)))

    assert names(Message({"message": small, "msgCompressionKind": "GZIP"})) == ["a@c"]
    with pytest.raises(ValueError, match="more than 1000 bytes"):
        Message({"message": large, "msgCompressionKind": "GZIP"})


def test_entities_that_lie_too_deep_are_not_looked_for() -> None:
    """Those above them are found."""
    deep: Any = {"typeName": "hive_column", "guid": "-2", "attributes": {"qualifiedName": "a.x@c"}}
    for _ in range(entities.MAX_DEPTH):
        deep = [deep]
    reference = {"typeName": "hive_column", "guid": "-2"}
    message = Message(created(table("a@c", columns=reference), deep=deep))

    assert names(message) == ["a@c"]
    assert message.those(message.entities[0].attributes, "columns") == []
