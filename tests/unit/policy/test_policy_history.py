"""A policy tightened for history: nothing in the store holds what it does not keep, and every answer is as before."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from policy_texts import AT, CANARY, MESSAGES, STRICT, edges, holders, ingest, made, message, place, told
from rounds import rounds

from ingest.resolve.reextract import re_extract
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Lineage, Store, TaskChange
from lineage_tt.events import event_of
from lineage_tt.graph import Graph
from lineage_tt.log.log import Log
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import NodeChange
from lineage_tt.model.redaction.policy import TextPolicy, TextState, Tightened
from lineage_tt.storage import failpoints
from lineage_tt.subscriptions.outbox import Outbox

SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))
HOUR = 3_600_000_000


def filled(folder: Path, policy: str = "keep") -> Store:
    """A store with all that may quote SQL."""
    (folder / "in").mkdir(exist_ok=True)
    store = made(folder, policy)
    ingest(store, MESSAGES, folder / "in")
    return store


def tightened(store: Store, policy: str, **options: Any) -> int:
    """Tighten a store's policy for history, with a parser at hand."""
    with SqlResolver(1) as resolver:
        return store.set_text_policy(policy, "the audit", "ana", history=True, resolver=resolver, **options)


@pytest.mark.long
@pytest.mark.parametrize("policy", STRICT)
def test_no_file_of_the_store_holds_it_any_more(tmp_path: Path, policy: str) -> None:
    """Log, dead letters, what could not be delivered; edges, counts and what was masked are as if always so."""
    store, strict = filled(tmp_path), filled(tmp_path, policy)
    event = next(event_of(entry, store.id) for entry in store.changes() if CANARY in repr(event_of(entry, store.id)))
    with Outbox(place(store) / "deliveries.sqlite") as outbox:
        outbox.give_up("s", 5, event | {"subscription": "s"}, f"answered 500: 'select {CANARY}'")
    before = edges(store)
    assert len(holders(place(store))) > 2

    recorded = tightened(store, policy)

    assert holders(place(store)) == []
    assert CANARY not in told(store)
    assert edges(store) == before == edges(strict)
    assert check(place(store)) == []
    query = """SELECT event_id, sql, sql_sha256, params, reason, attributes, edges, facts, coverage, outputs, stars,
        rejected_code FROM log WHERE kind IS DISTINCT FROM 'fact' OR subject <> 'policy:texts' ORDER BY version"""
    assert store.sql(query)[1] == strict.sql(query)[1]
    assert recorded == store.version
    with Outbox(place(store) / "deliveries.sqlite") as outbox:
        assert [each.version for each in outbox.undelivered("s")] == [5]


@pytest.mark.long
@pytest.mark.parametrize("policy", STRICT)
def test_it_is_one_recorded_operation(tmp_path: Path, policy: str) -> None:
    """The log says who, when, why, from what and to what; done again, nothing is left to do."""
    store = filled(tmp_path)

    version = tightened(store, policy)

    (entry,) = [each for each in store.log() if each.version == version]
    assert (entry.actor, entry.reason, entry.subject) == ("ana", "the audit", "policy:texts")
    (fact,) = [each for each in store.as_of().facts("policy:texts") if each.key == "history"]
    assert json.loads(fact.value) == {"from": "keep", "to": policy}
    assert not store.texts.looser(store.version)
    assert store.texts.at(1) is TextPolicy(policy)
    commits = Log.open(store.opened_log.path).delta_version
    assert tightened(store, policy) == version
    assert (store.version, Log.open(store.opened_log.path).delta_version) == (version, commits)


@pytest.mark.long
def test_it_can_only_be_made_stricter(tmp_path: Path) -> None:
    """From keep to mask to drop; what is taken away for history does not come back by the policy for what is new."""
    store = filled(tmp_path)
    tightened(store, "mask-literals")
    store.set_text_policy("keep", "a mistake")
    ingest(store, [message("k", "kept", f"INSERT INTO o2 SELECT '{CANARY}' AS a FROM t")], tmp_path / "in")
    for looser in ("keep",):
        with pytest.raises(InvalidRequestError, match="stricter"):
            tightened(store, looser)

    tightened(store, "drop-text")

    assert holders(place(store)) == []
    assert store.sql("SELECT DISTINCT sql FROM log")[1] == [(None,)]
    with pytest.raises(InvalidRequestError, match="stricter"):
        tightened(store, "mask-literals")
    assert check(place(store)) == []


@pytest.mark.long
@pytest.mark.parametrize("policy", STRICT)
def test_what_is_sent_again_counts_once_and_re_extraction_changes_nothing(tmp_path: Path, policy: str) -> None:
    """As in a store that never held the literals."""
    store = filled(tmp_path)
    before = edges(store)
    tightened(store, policy)
    version = store.version

    found = ingest(store, MESSAGES, tmp_path / "in")

    assert (found.duplicates, store.version) == (len(MESSAGES), version)
    assert re_extract(store, everything=True, workers=1).corrections == 0
    assert edges(store) == before
    other = ingest(store, [message("1", "plain", "INSERT INTO o SELECT other FROM t")], tmp_path / "in")
    assert other.reasons == {"conflicting-duplicate": 1}


@pytest.mark.long
def test_without_a_parser_all_literals_go(tmp_path: Path) -> None:
    """What the parser would keep, such as names that PIVOT makes of strings, goes too."""
    store = filled(tmp_path)

    store.set_text_policy("mask-literals", "the audit", history=True)

    texts = dict(store.sql("SELECT event_id, sql FROM log WHERE sql IS NOT NULL")[1])
    assert "IN (?, ?)" in texts["4"]
    assert holders(place(store)) == []
    assert check(place(store)) == []


@pytest.mark.long
def test_a_change_behind_its_back_is_still_found(tmp_path: Path) -> None:
    """The new rows have a chain of their own: a data file that is altered afterwards is damage."""
    store = filled(tmp_path)
    tightened(store, "mask-literals")
    path = sorted(place(store).glob("log/*.parquet"))[0]
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))

    assert "damage" in {finding.kind for finding in check(place(store))}


# --- the same answers -------------------------------------------------------------------------------------------------


def random_messages(draw: random.Random, count: int) -> list[TaskChange | NodeChange]:
    """Edits, corrections and retracts of few edges and definitions that differ in literals, some in nothing else."""
    sent: dict[str, list[str]] = {}
    messages: list[TaskChange | NodeChange] = []
    for number in range(count):
        at, event = draw.randrange(12) * HOUR, f"e{number}"
        task = f"t{draw.randrange(3)}"
        choice = draw.random()
        if choice < 0.15 and sent.get(task):
            messages.append(TaskChange(event, task, "retract", retracts=draw.choice(sent[task])))
        elif choice < 0.2:
            messages.append(TaskChange(event, task, "offline", at))
        elif choice < 0.4:
            fact = ("n:d.v", "definition", f"select '{CANARY}{draw.randrange(3)}'")
            messages.append(NodeChange(event, "fact", "n:d.v", "set", at, fact_key="definition", facts=[fact]))
            continue
        else:
            drawn = {(f"n:a#c{draw.randrange(2)}", "n:b#x", "DIRECT", "TRANSFORMATION",
                      draw.choice(["x", f"x || '{CANARY}{draw.randrange(3)}'", "x || ?"]))
                     for _ in range(draw.randrange(4))}  # fmt: skip
            rank = draw.choice([None, None, draw.randrange(5)])
            messages.append(TaskChange(event, task, "update", at, rank, lineage=Lineage.of(drawn)))
        sent.setdefault(task, []).append(event)
    return messages


def masked(text: str) -> str:
    """A text with its string as the policy has it."""
    head, quote, _ = text.partition("'")
    return f"{head}?" if quote else text


def state(store: Store, valid_at: int, version: int, *, mask: bool) -> set[tuple[Any, ...]]:
    """The edges and facts at a point, masked by hand where asked for."""
    at = store.as_of(valid_at=valid_at, version=version)
    said = {(e.task_id, *e[1:5], masked(e.expression) if mask else e.expression) for e in at.edges()}
    return said | {(f.node, masked(f.value) if mask else f.value) for f in at.facts() if f.node != "policy:texts"}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(SEED, SEED + rounds(4)))
def test_every_answer_is_the_same_but_for_the_texts(tmp_path: Path, seed: int) -> None:
    """At versions and valid times, by SQL, by the graph and by the sum of changes; also for what comes later."""
    print(f"LINEAGE_TT_SEED={seed}")
    draw = random.Random(seed)
    sent = random_messages(draw, 60)
    store = Store.create(tmp_path / "a")
    for start in range(0, 40, 8):
        store.append(sent[start : start + 8])
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    before = Store.open(tmp_path / "b")
    graph = store.graph()
    other = Store.open(tmp_path / "a")
    other.append([])

    store.set_text_policy("mask-literals", "a test", history=True)
    for start in range(40, 60, 5):
        other.append(sent[start : start + 5])  # a writer that knew the old texts
        before.append(sent[start : start + 5])
    store.refresh()
    graph.refresh()

    shift = store.version - before.version
    assert shift == 2
    for version in [*draw.sample(range(before.version), 12), before.version]:
        now = version if version <= 40 else version + shift
        at = draw.randrange(-1, 13) * HOUR + 1
        expected = state(before, at, version, mask=True)
        assert state(store, at, now, mask=False) == expected
        held = {tuple(edge[:6]) for edge in graph.as_of(valid_at=at, version=now).edges()}
        assert held == {edge for edge in expected if len(edge) == 6}
    assert holders(tmp_path / "a") == []
    assert check(tmp_path / "a") == []


# --- beside writers and readers ---------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_reader_that_has_it_open_goes_on(tmp_path: Path) -> None:
    """It reads the files in the place of those that are gone: the same answer at its version, masked."""
    store = filled(tmp_path)
    reader = Store.open(place(store))
    tail = reader.tail(2)
    before, version = edges(reader), reader.version
    graph = Graph.load(reader)

    tightened(store, "mask-literals")

    assert edges(reader) == before
    assert CANARY not in repr(reader.as_of(version=version).edges())
    assert [entry.version for entry in tail.entries()] == [3, 4, 5, 6]
    graph.refresh()
    assert {edge[:5] for edge in graph.as_of().edges()} == before


@pytest.mark.long
def test_what_is_written_while_the_files_are_made_anew_is_there(tmp_path: Path) -> None:
    """By one who has the store open, before the commit; and by the next, after it."""
    store = filled(tmp_path)
    writer = Store.open(place(store))
    ingest(writer, [message("w0", "t0", "SELECT a FROM t", target="n:d.w0")], tmp_path / "in")
    done: list[int] = []

    def write(at: int, of: int) -> None:
        done.append(at)
        sent = [message(f"w{len(done)}", "plain", f"INSERT INTO o SELECT b || '{CANARY}' AS x FROM t", op="update",
                        effective_at=f"2024-02-0{len(done)}T00:00:00Z")]  # fmt: skip
        ingest(writer, sent, tmp_path / "in")

    tightened(store, "mask-literals", progress=lambda at, of: write(at, of) if len(done) < 3 else None)
    ingest(writer, [AT | {"event_id": "last", "task_id": "edges", "op": "offline"}], tmp_path / "in")
    store.refresh()

    assert [row for (row,) in store.sql("SELECT event_id FROM log WHERE event_id[1] = 'w' ORDER BY version")[1]] == [
        "w0", "w1", "w2", "w3"]  # fmt: skip
    assert holders(place(store)) == []
    assert check(place(store)) == []


@pytest.mark.long
@pytest.mark.parametrize("action", ["raise", "enospc"])
@pytest.mark.parametrize("point", ["t0:after", "t1:before", "t1:data", "t1:after", "t2:log", "t2:snapshot", "t2:after"])
def test_a_failure_on_the_way_is_made_good_by_the_same_call(tmp_path: Path, point: str, action: str) -> None:
    """Nothing is half masked: before the commit all is as it was, after it the next call removes what is left."""
    store = filled(tmp_path)
    before, rows = edges(store), store.version
    with failpoints.armed(f"{point}:{action}"), pytest.raises((failpoints.FailpointError, OSError, Exception)):
        tightened(store, "drop-text")

    store = Store.open(place(store))
    assert edges(store) == before
    assert [finding for finding in check(place(store)) if finding.kind == "damage"] == []
    tightened(store, "drop-text")

    assert edges(store) == before
    assert store.version == rows + 2
    assert holders(place(store)) == []
    assert [finding for finding in check(place(store)) if finding.kind == "damage"] == []


def test_the_deliveries_of_another_file_are_rewritten_too(tmp_path: Path) -> None:
    """With the same function: nothing of the old events is left in the pages or the log of SQLite."""
    from lineage_tt.write.past.tighten.purge import tighten_deliveries

    with Outbox(tmp_path / "d.sqlite") as outbox:
        outbox.give_up("s", 1, {"data": {"edges": [{"expression": f"x || '{CANARY}'"}]}}, "refused")
    tighten_deliveries(tmp_path / "d.sqlite", TextState((), Tightened(TextPolicy.MASK, 1, 1)))

    assert holders(tmp_path) == []
    with closing(sqlite3.connect(tmp_path / "d.sqlite")) as db:
        assert db.execute("SELECT count(*) FROM undelivered").fetchone() == (1,)
