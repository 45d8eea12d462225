"""The policy for texts itself: recorded, in force at once for all, kept from messages and from older releases."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import orjson
import pytest
from policy_texts import AT, CANARY, MESSAGES, ingest, made, message, told

from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.format import PLAIN_FORMAT
from lineage_tt.model.messages import RejectedMessage, TaskChange
from lineage_tt.model.redaction.policy import TextPolicy, TextState, Tightened


@pytest.mark.long
def test_the_policy_in_force_when_a_message_is_written_counts(tmp_path: Path) -> None:
    """Others who have the store open keep to a change of it at once, also for what they have planned already."""
    store, other = Store.create(tmp_path / "s"), Store.open(tmp_path / "s")
    other.append([TaskChange("0", "t0", "offline", 1)])
    asked = threading.Event()
    go_on = threading.Event()

    class Slow(SqlResolver):
        """Waits while somebody changes the policy."""

        def __call__(self, waiting: Any, **options: Any) -> Any:
            asked.set()
            assert go_on.wait(20)
            return super().__call__(waiting, **options)

    def append() -> None:
        with Slow(1) as resolver:
            sent = TaskChange("1", "t", "online", 1, sql=f"SELECT '{CANARY}' AS a FROM t", dialect="hive",
                              namespace="n", target="n:o")  # fmt: skip
            other.append([sent], resolver=resolver)

    thread = threading.Thread(target=append)
    thread.start()
    assert asked.wait(20)
    store.set_text_policy("mask-literals", "a test")
    go_on.set()
    thread.join(60)
    store.refresh()

    assert store.sql("SELECT version, sql FROM log WHERE sql IS NOT NULL")[1] == [(3, "SELECT '?' AS a FROM t")]


@pytest.mark.long
def test_the_policy_is_recorded_and_may_be_loosened_for_the_future(tmp_path: Path) -> None:
    """Each change is a fact in the log, with who and why; what was masked stays so."""
    store = Store.create(tmp_path / "s")
    (tmp_path / "in").mkdir()
    assert (store.texts.policy, store.texts.spans) == (TextPolicy.KEEP, ())
    assert store.set_text_policy("mask-literals", "the audit", "ana") == 1
    ingest(store, [MESSAGES[0]], tmp_path / "in")
    assert store.set_text_policy("keep", "a mistake", "ben") == 3
    ingest(store, [message("2", "t", "SELECT 'x' AS a FROM t", target="n:d.z")], tmp_path / "in")

    log = [(entry.version, entry.actor, entry.reason) for entry in store.log() if entry.subject == "policy:texts"]
    assert log == [(1, "ana", "the audit"), (3, "ben", "a mistake")]
    assert [fact.value for fact in store.as_of().facts("policy:texts")] == ["keep"]
    assert [store.texts.at(version) for version in (1, 2, 3, 4)] == ["mask-literals", "mask-literals", "keep", "keep"]
    texts = dict(store.sql("SELECT version, sql FROM log WHERE sql IS NOT NULL")[1])
    assert texts[4] == "SELECT 'x' AS a FROM t"
    assert CANARY not in texts[2]
    for wrong in ("keep", "nothing"):
        with pytest.raises(InvalidRequestError):
            store.set_text_policy(wrong, "a test")


def test_nobody_sets_it_by_message(tmp_path: Path) -> None:
    """Its node is reserved."""
    store = Store.create(tmp_path / "s")
    (tmp_path / "in").mkdir()
    fact = AT | {
        "kind": "fact",
        "event_id": "f",
        "node": "policy:texts",
        "key": "texts",
        "op": "set",
        "values": ["keep"],
    }

    assert ingest(store, [fact], tmp_path / "in").reasons == {"reserved-node": 1}


def test_a_release_that_knows_no_policy_does_not_write_to_the_store(tmp_path: Path) -> None:
    """Each commit from the first policy on has a format that it refuses, also after the policy is to keep again."""
    store = Store.create(tmp_path / "s")
    store.append([TaskChange("0", "t", "offline", 1)])
    store.set_text_policy("drop-text", "a test")
    store.set_text_policy("keep", "a test")
    store.append([TaskChange("1", "t", "offline", 2)])

    formats = [
        next(line["commitInfo"]["lineage_tt"]["format"] for line in map(orjson.loads, path.read_bytes().splitlines())
             if "commitInfo" in line)
        for path in sorted((tmp_path / "s" / "log" / "_delta_log").glob("*.json"))
    ]  # fmt: skip
    assert formats == [PLAIN_FORMAT, PLAIN_FORMAT, 2, 2, 2]


def test_state_of_versions() -> None:
    """The strictest of what held when a version was written and what it was tightened to."""
    mask, drop, keep = TextPolicy.MASK, TextPolicy.DROP, TextPolicy.KEEP
    state = TextState(((5, mask), (9, keep), (12, drop)), Tightened(mask, 10, 7))

    assert [state.at(version) for version in (1, 5, 9, 10, 11, 12)] == [mask, mask, mask, mask, keep, drop]
    assert state.looser(12)
    assert not state._replace(tightened=Tightened(drop, 12, 8)).looser(12)
    assert TextState.of_meta({"texts": state.to_meta()}) == state
    assert TextState.of_meta({}) == TextState()


def test_a_message_built_in_python_keeps_to_the_policy(tmp_path: Path) -> None:
    """Explicit lineage, refused bytes."""
    store = made(tmp_path, "mask-literals")
    store.append([RejectedMessage(f'{{"sql": "select \'{CANARY}\'"}}'.encode(), "x", f"not 'select \"{CANARY}\"'")])

    assert CANARY not in told(store)
