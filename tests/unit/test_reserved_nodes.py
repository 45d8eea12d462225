"""Nobody makes a subscription by message, at no door; what came into an old store that way is shown and not used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.messages.mapping import load_mapping
from ingest.messages.native import parse_message
from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.cli.app import run
from lineage_tt.cli.receiving import Receiver
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import Lineage, NodeChange, TaskChange
from lineage_tt.subscriptions.model import Subscription
from lineage_tt.subscriptions.outbox import Outbox
from lineage_tt.subscriptions.runner import Runner
from lineage_tt.subscriptions.stored import all_stored, subscribe, subscription, subscriptions, unsubscribe
from lineage_tt.write.batch import Batch
from lineage_tt.write.writer import Writer


def attack(folder: Path, **fields: Any) -> bytes:
    """A message that would make a subscription which runs a program."""
    value = json.dumps({"name": "x", "deliver": f"command:touch {folder}/owned"})
    given = {
        "kind": "fact",
        "event_id": "a1",
        "node": "subscription:x",
        "key": "subscription",
        "op": "set",
        "effective_at": 1,
        "values": [value],
    }
    return json.dumps(given | fields).encode()


def edge(number: int, source: str = "hive:a#x", target: str = "hive:b#y", **fields: Any) -> bytes:
    """A task's message with one edge."""
    given = {"event_id": f"e{number}", "task_id": "t", "op": "online", "effective_at": number}
    return json.dumps(given | {"edges": [{"source": source, "target": target}]} | fields).encode()


def statement(**fields: Any) -> bytes:
    """A task's message with a text."""
    given = {"event_id": "e1", "task_id": "t", "op": "online", "effective_at": 1, "sql": "select a from y"}
    return json.dumps(given | {"dialect": "hive", "namespace": "hive"} | fields).encode()


def refused(store: Store) -> list[str]:
    """The codes of the dead letters."""
    return [letter.code for letter in store.dead_letters()]


KEYS = ["alias", "renamed_from", "masked", "reads", "writes"]
ATTACKS = {
    **{f"a fact that names one: {key}": {"node": "hive:a", "key": key, "values": ["policy:texts"]} for key in KEYS},
    "a subscription": {},
    "a token": {"node": "token:x"},
    "a policy": {"node": "policy:x"},
    "a column of one": {"node": "subscription:x#y"},
    "a label of one": {"key": "label"},
    "taking one away": {"op": "clear", "values": None},
    "withdrawing one": {"op": "retract", "retracts": "a0", "values": None},
    "a dataset": {"kind": "dataset", "dataset": "subscription:x", "op": "define", "columns": [{"name": "c"}]},
}


@pytest.mark.parametrize("fields", ATTACKS.values(), ids=ATTACKS)
def test_a_file_cannot_write_reserved_nodes(tmp_path: Path, fields: dict[str, Any]) -> None:
    """The message is a dead letter, its neighbours come in, and there is no subscription."""
    lines = [edge(1), attack(tmp_path, **fields), edge(2)]
    (tmp_path / "f.jsonl").write_bytes(b"\n".join(lines))
    store = Store.create(tmp_path / "s")
    with Ingester(store) as ingester:
        summary = ingester.ingest_file(str(tmp_path / "f.jsonl"))

    assert (summary.accepted, summary.rejected, summary.reasons) == (2, 1, {"reserved-node": 1})
    assert all_stored(store) == []


def test_http_cannot_write_reserved_nodes(tmp_path: Path) -> None:
    """The receipt says why."""
    store = Store.create(tmp_path / "s")
    receiver = Receiver(str(tmp_path / "s"), None, 1)
    try:
        outcomes = receiver([edge(1), attack(tmp_path)])
    finally:
        receiver.close()

    assert [(o.status, o.code) for o in outcomes] == [("accepted", None), ("rejected", "reserved-node")]
    store.refresh()
    assert all_stored(store) == []


def test_a_replay_and_a_mapping_cannot_write_reserved_nodes(tmp_path: Path) -> None:
    """Neither a dead letter sent again nor a platform's own format."""
    (tmp_path / "m.toml").write_text(
        'fields = { event_id = "id" }\n[fact]\nwhen = { kind = ["note"] }\n[fact.fields]\nevent_id = "id"\n'
        'node = "about"\nkey = { value = "subscription" }\nop = { value = "set" }\neffective_at = { value = 1 }\n'
        'values = "said"\n'
    )
    note = json.dumps({"kind": "note", "id": "n", "about": "subscription:x", "said": ["{}"]}).encode()
    (tmp_path / "f.jsonl").write_bytes(note)
    store = Store.create(tmp_path / "s")
    with Ingester(store, mapping=load_mapping(tmp_path / "m.toml")) as ingester:
        ingester.ingest_file(str(tmp_path / "f.jsonl"))
        receipt = ingester.replay(store.dead_letters()[0])

    assert (receipt.status, refused(store), all_stored(store)) == ("duplicate", ["reserved-node"], [])


@pytest.mark.parametrize(
    "line",
    [
        edge(1, source="subscription:x"),
        edge(1, target="token:x#y"),
        statement(namespace="policy"),
        statement(target="policy:x"),
    ],
)
def test_no_edge_names_a_reserved_node(tmp_path: Path, line: bytes) -> None:
    """Neither stated nor found in SQL."""
    store = Store.create(tmp_path / "s")
    store.append([parse_message(line)])

    assert refused(store) == ["reserved-node"]


def test_python_cannot_write_reserved_nodes_without_the_right(tmp_path: Path) -> None:
    """The store's own append is a door like the others; what subscribes has a right that no message can state."""
    store = Store.create(tmp_path / "s")
    message = Subscription("x").message("set", "e", 1, None)
    (receipt,) = store.append([message])

    assert (receipt.status, refused(store)) == ("rejected", ["reserved-node"])
    subscribe(store, Subscription("x"))
    assert [each.name for each in subscriptions(store)] == ["x"]


@pytest.fixture
def old_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store as an earlier release could leave it: with subscriptions that came in by message, and one of its own."""
    monkeypatch.setenv("LINEAGE_TT_ALLOW", str(tmp_path / "allow.toml"))
    (tmp_path / "allow.toml").write_text(f'commands = ["touch {tmp_path}/owned"]')
    store = Store.create(tmp_path / "s")
    subscribe(store, Subscription("good"))
    values = {
        "x": json.dumps({"name": "x", "deliver": f"command:touch {tmp_path}/owned"}),
        "not-json": "not json",
        "a-list": "[]",
        "other-name": json.dumps({"name": "good", "deliver": "stream"}),
        "wrong-kinds": json.dumps({"name": "wrong-kinds", "hops": "many"}),
        "no-way": json.dumps({"name": "no-way", "deliver": "ftp://x"}),
    }
    facts = [
        NodeChange(
            f"e{name}", "fact", f"subscription:{name}", "set", 1, fact_key="subscription",
            facts=[(f"subscription:{name}", "subscription", value)],
        )
        for name, value in values.items()
    ]  # fmt: skip
    admitting = Batch(facts, own=True)  # as that release did, which judged nothing
    writer = Writer(store.opened_log)
    writer.append(admitting.messages[:1], source="http", own=True)
    writer.append(admitting.messages[1:], own=True)
    store.refresh()
    return store


def test_what_came_by_message_is_listed_and_not_trusted(old_store: Store) -> None:
    """Each bad one has its reason; the good one is delivered."""
    problems = {each.name: each.problem or "" for each in all_stored(old_store)}

    assert problems.pop("good") == ""
    assert "not trusted" in problems.pop("x")
    assert sorted(problems) == ["a-list", "no-way", "not-json", "other-name", "wrong-kinds"]
    assert all("not readable" in problem for problem in problems.values())
    assert [each.name for each in subscriptions(old_store)] == ["good"]
    with pytest.raises(InvalidRequestError, match="not trusted"):
        subscription(old_store, "x")


@pytest.mark.long
def test_an_attack_in_an_old_store_does_not_run(old_store: Store, tmp_path: Path) -> None:
    """Not even where the operator allows its command; the others are delivered beside it."""
    old_store.append(
        [TaskChange("e", "t", "online", 5, lineage=Lineage.of([("n:a", "n:b", "DIRECT", "IDENTITY", "")]))]
    )
    told: list[str] = []
    with Outbox(tmp_path / "o.sqlite") as outbox:
        runner = Runner(old_store, outbox, write=lambda line: None, skipped=lambda name, problem: told.append(name))
        tally = runner.run(until_end=True)

    assert tally.delivered["good"] >= 1
    assert not (tmp_path / "owned").exists()
    assert sorted(told) == ["a-list", "no-way", "not-json", "other-name", "wrong-kinds", "x"]


@pytest.mark.long
def test_the_commands_go_past_what_cannot_be_used(
    old_store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``list`` shows it, ``run`` skips it, ``unsubscribe`` takes it away, and one of the name can be made."""
    store = ["--store", str(tmp_path / "s")]
    assert run([*store, "subscriptions", "list"]) == 0
    assert "not trusted" in capsys.readouterr().out
    assert run([*store, "subscriptions", "run", "--until-end"]) == 0
    assert "x is skipped: not trusted" in capsys.readouterr().err
    assert run([*store, "subscriptions", "run", "x", "--until-end"]) == 2
    unsubscribe(old_store, "x")
    subscribe(old_store, Subscription("x"))
    assert [each.name for each in subscriptions(old_store)] == ["good", "x"]
