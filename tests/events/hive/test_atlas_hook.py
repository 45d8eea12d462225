"""Messages of Atlas' hooks, as the Hive hook publishes them to the topic ``ATLAS_HOOK``."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from test_hive_hook import line
from test_trino_events import edges, take

from lineage_tt import Store
from lineage_tt.read.observations import observations

#: 2026-01-01T00:00:00Z in milliseconds.
START = 1_767_225_600_000
DAY = 86_400_000
TEXT = "insert overwrite table sales select cust, sum(amt) from ods.orders group by cust"
STATED = {
    ("hive:ods.orders#cust", "hive:dw.sales#cust", "DIRECT", "IDENTITY"),
    ("hive:ods.orders#amt", "hive:dw.sales#total", "DIRECT", "AGGREGATION"),
}
Given = dict[str, Any]


def message(kind: str, at: int = START, **inside: Any) -> Given:
    """Return a message in its envelope."""
    return {
        "version": {"version": "1.0.0", "versionParts": [1]}, "msgCompressionKind": "NONE", "msgSplitIdx": 1,
        "msgSplitCount": 1, "msgSourceIP": "10.0.0.1", "msgCreatedBy": "hive", "msgCreationTime": at,
        "message": {"type": kind, "user": "etl", **inside},
    }  # fmt: skip


def refers(kind: str, name: str, guid: str = "") -> Given:
    """Return a reference to an entity by its qualified name, and to its place in the message where there is one."""
    return {"typeName": kind, "uniqueAttributes": {"qualifiedName": f"{name}@cm"}, **({"guid": guid} if guid else {})}


def entity(kind: str, name: str, guid: str = "-1", /, **attributes: Any) -> Given:
    """Return an entity of the second version."""
    return {"typeName": kind, "guid": guid, "attributes": {"qualifiedName": f"{name}@cm", **attributes}}


def query(day: int = 0) -> list[Given]:
    """Return the entities of a query that sums one column and copies another."""
    columns = [
        entity("hive_column_lineage", f"dw.sales@cm:15:{target}", f"-{n}", depenendencyType=kind, expression=how,
               inputs=[refers("hive_column", f"ods.orders.{source}")],
               outputs=[refers("hive_column", f"dw.sales.{target}")])
        for n, (source, target, kind, how) in enumerate(
            [("cust", "cust", "SIMPLE", None), ("amt", "total", "EXPRESSION", "sum(orders.amt)")], 20)
    ]  # fmt: skip
    process = entity(
        "hive_process", "dw.sales@cm:1530000000000", "-10", inputs=[refers("hive_table", "ods.orders")],
        outputs=[refers("hive_table", "dw.sales")], queryText=TEXT, operationType="QUERY", queryId=f"hive_{day}",
        startTime=START + day * DAY, endTime=START + day * DAY + 9000,
    )  # fmt: skip
    return [process, *columns]


def first_version() -> Given:
    """Return the same query as a hook before Atlas 1 has it: references and values, entities inside entities."""

    def reference(kind: str, number: int, **values: Any) -> Given:
        there = {"jsonClass": "InstanceSerialization$_Id", "id": f"-{number}", "typeName": kind, "version": 0}
        return {"jsonClass": "InstanceSerialization$_Reference", "id": there, "typeName": kind, "values": values}

    orders = reference("hive_table", 1, qualifiedName="ods.orders@cm", name="orders")
    sales = reference("hive_table", 2, qualifiedName="dw.sales@cm", name="sales")
    process = reference(
        "hive_process", 3, qualifiedName="dw.sales@cm:1530000000000", queryText=TEXT, inputs=[orders], outputs=[sales],
        startTime="2026-01-01T00:00:00.000Z", endTime="2026-01-01T00:00:09.000Z",
    )  # fmt: skip
    lineages = [
        reference("hive_column_lineage", 10 + n, qualifiedName=f"dw.sales@cm:15:{target}", query=process["id"],
                  inputs=[reference("hive_column", 20 + n, qualifiedName=f"ods.orders.{source}@cm")],
                  outputs=[reference("hive_column", 30 + n, qualifiedName=f"dw.sales.{target}@cm")],
                  depenendencyType=kind, expression=how)
        for n, (source, target, kind, how) in enumerate(
            [("cust", "cust", "SIMPLE", None), ("amt", "total", "EXPRESSION", "sum(orders.amt)")])
    ]  # fmt: skip
    return message("ENTITY_CREATE", entities=[orders, sales, process, *lineages])


def packed(given: Given) -> Given:
    """Return a message as the hook packs one that is long."""
    inside = base64.b64encode(gzip.compress(json.dumps(given).encode())).decode()
    return {"msgCompressionKind": "GZIP", "msgSplitIdx": 1, "msgSplitCount": 1, "msgId": "m",
            "msgCreationTime": given["msgCreationTime"], "message": inside}  # fmt: skip


def test_a_process_and_its_columns_become_edges(tmp_path: Path) -> None:
    """Both versions of the notifications, packed or not, say the same edges as the LineageLogger's line."""
    second = message("ENTITY_CREATE_V2", entities={"entities": query(), "referredEntities": {}})
    update = message("ENTITY_FULL_UPDATE_V2", entities={"entities": query(), "referredEntities": {}})
    logged = line(([2], [0], "PROJECTION", ""), ([3], [1], "PROJECTION", "sum(orders.amt)"), queryText=TEXT)
    for number, given in enumerate([first_version(), second, update, packed(second), second["message"] | {
        "msgCreationTime": START}, logged]):  # fmt: skip
        assert take(tmp_path / str(number), given) == ["accepted"], number
        assert {each[1:] for each in edges(tmp_path / str(number))} == STATED, number
        assert {each[0] for each in edges(tmp_path / str(number))} == {each[0] for each in edges(tmp_path / "0")}


def test_the_query_of_the_next_day_is_another_run(tmp_path: Path) -> None:
    """A query that the hook reports each night is one version, and is counted."""
    nights = [message("ENTITY_CREATE_V2", START + n * DAY, entities={"entities": query(n)}) for n in range(3)]
    take(tmp_path / "s", *nights, nights[0])

    assert Store.open(tmp_path / "s").basis().version == 1
    assert [each.runs for each in observations(tmp_path / "s")] == [1] * 3


def test_processes_of_one_message_are_not_mixed(tmp_path: Path) -> None:
    """Where a message has several processes, each output is fed by the inputs of its own."""
    made = [
        entity("hive_process", f"dw.{target}@cm:15", f"-{n}", startTime=START, endTime=START,
               inputs=[refers("hive_table", f"ods.{source}")], outputs=[refers("hive_table", f"dw.{target}")])
        for n, (source, target) in enumerate([("a", "x"), ("b", "y")])
    ]  # fmt: skip
    take(tmp_path / "s", message("ENTITY_CREATE_V2", entities={"entities": made}))

    assert {each[1:3] for each in edges(tmp_path / "s")} == {("hive:ods.a", "hive:dw.x"), ("hive:ods.b", "hive:dw.y")}


def test_paths_and_topics_are_datasets_of_their_own(tmp_path: Path) -> None:
    """A path is of its file system; what is neither of Hive nor a path is named by its kind."""
    made = entity(
        "hive_process", "dw.logs@cm:15", startTime=START, endTime=START, outputs=[refers("hive_table", "dw.logs")],
        inputs=[refers("hdfs_path", "hdfs://nn:8020/raw/logs"), refers("kafka_topic", "clicks")],
    )  # fmt: skip
    take(tmp_path / "s", message("ENTITY_CREATE_V2", entities={"entities": [made]}))

    assert {each[1] for each in edges(tmp_path / "s")} == {"hdfs://nn:8020:/raw/logs", "kafka:clicks"}


def table(name: str, *columns: str) -> dict[str, Any]:
    """Return a table and its columns as the second version has them."""
    held = {
        f"-{n}": entity("hive_column", f"{name}.{c}", f"-{n}", name=c, type="int", position=n, comment=f"the {c}")
        for n, c in enumerate(columns, 40)
    }
    listed = [{"guid": guid, "typeName": "hive_column"} for guid in sorted(held, reverse=True)]
    made = entity("hive_table", name, "-30", owner="dana", comment="what was sold", columns=listed)
    return {"entities": [made], "referredEntities": held}


def test_tables_have_a_life_of_their_own(tmp_path: Path) -> None:
    """A table is created, renamed, dropped: its columns, owner and former name are known from then on."""
    renamed = {"entity": {**entity("hive_table", "dw.sold", "-30")}, "referredEntities": {}}
    take(
        tmp_path / "s",
        message("ENTITY_CREATE_V2", entities=table("dw.sales", "cust", "total")),
        message("ENTITY_PARTIAL_UPDATE_V2", START + DAY, entityId=refers("hive_table", "dw.sales"), entity=renamed),
        message("ENTITY_DELETE_V2", START + 2 * DAY, entities=[refers("hive_table", "dw.sold")]),
    )
    store = Store.open(tmp_path / "s")
    first, second = store.as_of("2026-01-01T12:00:00Z"), store.as_of("2026-01-02T12:00:00Z")

    assert [(c.dataset, c.column) for c in first.columns()] == [("hive:dw.sales", "cust"), ("hive:dw.sales", "total")]
    assert {(f.node, f.key, f.value) for f in first.facts()} >= {
        ("hive:dw.sales", "owner", "dana"), ("hive:dw.sales", "description", "what was sold"),
        ("hive:dw.sales#cust", "description", "the cust"),
    }  # fmt: skip
    assert {(e.source, e.target) for e in second.edges()} == {
        ("hive:dw.sales", "hive:dw.sold"), ("hive:dw.sales#*", "hive:dw.sold#*")
    }  # fmt: skip
    assert {(f.node, f.value) for f in second.facts(key="renamed_from")} == {("hive:dw.sold", "hive:dw.sales")}


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"msgSplitCount": 3, "msgSplitIdx": 1, "msgCompressionKind": "GZIP", "message": "H4s"}, "several records"),
        ({"msgCompressionKind": "GZIP", "message": "not base64"}, "cannot be unpacked"),
        ({"msgCompressionKind": "LZ4", "message": "x"}, "LZ4 is not known"),
        (message("ENTITY_CREATE_V2", 0, entities=table("a.b", "c")), "msgCreationTime"),
    ],
)
def test_what_cannot_be_read_is_a_dead_letter(tmp_path: Path, given: Given, reason: str) -> None:
    """A message that is split, packed otherwise or has no time is kept, with what to do."""
    assert take(tmp_path / "s", given) == ["rejected"]
    (letter,) = Store.open(tmp_path / "s").dead_letters()

    assert reason in str(letter.detail)


def test_other_messages_change_nothing(tmp_path: Path) -> None:
    """A message about a database, or one that refers to nothing, is taken in and says nothing."""
    odd = entity("hive_process", "x@cm:1", inputs=[None, 3, {}], outputs="text", startTime="never")
    take(
        tmp_path / "s",
        message("ENTITY_CREATE_V2", entities={"entities": [entity("hive_db", "dw", name="dw")]}),
        message("ENTITY_CREATE_V2", entities={"entities": [odd, None, 7]}),
        message("ENTITY_DELETE", entities=None),
    )

    assert edges(tmp_path / "s") == set()
    assert not Store.open(tmp_path / "s").dead_letters()
