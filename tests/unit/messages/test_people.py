"""Messages of what people state, as bytes: what they become, and what is wrong with those that become nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ingest.messages.native import parse_message
from ingest.messages.nodes import FactMessage
from ingest.messages.people import check_task_id, names_dataset
from lineage_tt.model.edges import alias_edges
from lineage_tt.model.messages import RejectedMessage, TaskChange
from lineage_tt.model.names import CURATED

AT = "2026-01-01T00:00:00Z"
HIVE, TRINO = "hive:dw.orders", "trino:lake.dw.orders"


def parsed(**given: Any) -> TaskChange | RejectedMessage:
    """Return what a message becomes."""
    result = parse_message(json.dumps({"event_id": "e", "effective_at": AT} | given).encode())
    assert isinstance(result, TaskChange | RejectedMessage)
    return result


def test_an_alias_is_one_task_whichever_name_comes_first() -> None:
    """Both orders make messages of one timeline, with edges both ways."""
    one = parsed(kind="alias", op="add", dataset=HIVE, alias=TRINO, actor="ana", evidence="https://wiki/1")
    other = parsed(kind="alias", op="remove", dataset=TRINO, alias=HIVE)

    assert isinstance(one, TaskChange)
    assert one.lineage is not None
    assert one.task_id == other.task_id == f"alias:{HIVE} = {TRINO}"
    assert set(one.lineage.edges) == set(alias_edges(HIVE, TRINO))
    assert one.facts == [(HIVE, "alias", TRINO)]
    assert (one.actor, one.attributes) == ("ana", '{"evidence": "https://wiki/1"}')


def test_a_fact_that_names_a_dataset_is_an_alias() -> None:
    """What a catalog or an event says under the key alias leads walks, too; without values it ends."""
    named = parsed(kind="fact", op="set", node=HIVE, key="alias", values=[TRINO, "s3://lake:dw/orders"])
    ended = parsed(kind="fact", op="clear", node=HIVE, key="alias")

    assert isinstance(named, TaskChange)
    assert isinstance(ended, TaskChange)
    assert named.task_id == ended.task_id == f"alias:{HIVE}"
    assert named.lineage is not None
    assert len(named.lineage.edges) == 8
    assert ended.op == "offline"


def test_an_edge_of_a_person_has_a_task_of_its_own() -> None:
    """Added, rejected and taken back, it is one timeline."""
    edge = {"kind": "edge", "source": f"{HIVE}#a", "target": f"{TRINO}#b"}
    added, rejected = parsed(op="add", type="INDIRECT", **edge), parsed(op="reject", **edge)

    assert isinstance(rejected, TaskChange)
    assert rejected.lineage is not None
    assert rejected.lineage.edges == [(f"{HIVE}#a", f"{TRINO}#b", "DIRECT", "REJECTED", "")]

    assert isinstance(added, TaskChange)
    assert added.lineage is not None
    assert added.task_id == parsed(op="remove", **edge).task_id
    assert added.lineage.edges == [(f"{HIVE}#a", f"{TRINO}#b", "INDIRECT", "FILTER", "")]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"kind": "alias", "op": "add", "dataset": HIVE, "alias": HIVE}, "not an alias of itself"),
        ({"kind": "alias", "op": "add", "dataset": f"{HIVE}#a", "alias": TRINO}, "is a column"),
        ({"kind": "alias", "op": "add", "dataset": "orders", "alias": TRINO}, "has no namespace"),
        (
            {"kind": "alias", "op": "add", "dataset": HIVE, "alias": TRINO, "effective_at": None},
            "effective_at: missing",
        ),
        ({"kind": "alias", "op": "retract", "dataset": HIVE, "alias": TRINO}, "retracts"),
        ({"kind": "edge", "op": "add", "source": HIVE, "target": TRINO, "subtype": "ALIAS"}, "not a subtype of DIRECT"),
        ({"kind": "edge", "op": "add", "source": HIVE, "target": "orders"}, "has no namespace"),
        ({"task_id": "alias:x", "op": "offline"}, "send kind alias or edge"),
        ({"task_id": "edge:x", "op": "offline"}, "send kind alias or edge"),
    ],
)
def test_what_is_wrong_is_said(given: dict[str, Any], words: str) -> None:
    """The message is rejected with words that say what to change."""
    found = parsed(**given)

    assert isinstance(found, RejectedMessage)
    assert words in found.detail


def test_ids_of_what_people_state_are_not_taken_by_tasks() -> None:
    """A task whose id only holds one of the prefixes is a task."""
    for prefix in CURATED:
        with pytest.raises(ValueError, match="send kind alias or edge"):
            check_task_id(f"{prefix}x")
        check_task_id(f"my {prefix}x")


@pytest.mark.parametrize(
    ("node", "key", "is_name"), [("n:a", "alias", True), ("n:a#x", "alias", False), ("task:t", "alias", False),
                                 ("n:a", "label", False)],
)  # fmt: skip
def test_a_fact_may_be_another_name_of_a_dataset(node: str, key: str, is_name: bool) -> None:
    """Of a column or a task it is a fact like others."""
    said = {"kind": "fact", "event_id": "e", "node": node, "key": key, "op": "set", "values": ["n:b"]}
    fact = FactMessage.model_validate(said | {"effective_at": 5})

    assert names_dataset(fact) is is_name
