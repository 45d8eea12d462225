"""A batch that waits while others write: its rows are those that planning again would give, and so is what it knows."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from rounds import rounds
from stars import star_resolver

from lineage_tt import Store
from lineage_tt.maintenance.check import check
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Message, NodeChange, RejectedMessage, TaskChange
from lineage_tt.storage.tickets import places
from lineage_tt.storage.write_queue import FOLDER
from lineage_tt.testing import ManualClock, task_change
from lineage_tt.write.subjects.tasks import PastMessage, TaskHistory
from lineage_tt.write.writer import MAX_PIECE

SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))
TRIALS = int(os.environ.get("LINEAGE_TT_TRIALS", rounds(12, 2)))
NOON = 1_714_564_800_000_000
LIMIT = 120


class Senders:
    """Draws messages about tasks and datasets of some group, with everything that a log may hold."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._number = 0
        self._sent: dict[str, list[str]] = {}

    def messages(self, group: str, count: int, plain: float) -> list[Message]:
        """Return messages; a share ``plain`` of them are about edges alone, the others of every kind."""
        return [self._message(group, self._draw.random() < plain) for _ in range(count)]

    def _message(self, group: str, plain: bool) -> Message:
        draw = self._draw
        self._number += 1
        event, task = f"e{self._number}", f"{group}{draw.randrange(9)}"
        at = NOON + draw.randrange(6) * 3_600_000_000
        choice = 1.0 if plain else draw.random()
        if choice < 0.15:
            return RejectedMessage(b"junk %d" % draw.randrange(4), "invalid-json", "it is not JSON")
        if choice < 0.3 and self._sent.get(task):
            return task_change(task, "retract", event_id=event, retracts=draw.choice(self._sent[task]))
        if choice < 0.4 and self._sent.get(task):
            event = draw.choice(self._sent[task])  # an event id once more: a duplicate, or refused
        elif choice < 0.6:
            names = draw.sample("xyz", draw.randrange(1, 4))
            return NodeChange(event, "dataset", f"n:{group}", "define", at, fields=[Field(name) for name in names])
        elif choice < 0.75:
            self._sent.setdefault(task, []).append(event)
            return TaskChange(event, task, "update", at, sql=f"n:{draw.choice((group, 'shared'))}")
        elif choice < 0.85:
            node = f"n:{group}#x"
            return NodeChange(event, "fact", node, "set", at, fact_key="owner", facts=[(node, "owner", event)])
        self._sent.setdefault(task, []).append(event)
        edges = [(f"n:a#c{draw.randrange(5)}", f"n:b#{draw.randrange(3)}") for _ in range(draw.randrange(4))]
        return task_change(task, "update", at, edges, event_id=event)


def rows(path: Path) -> list[tuple[object, ...]]:
    """Return all that the log says."""
    return Store.open(path).sql("SELECT * FROM log ORDER BY version")[1]


def append(store: Store, messages: Sequence[Message]) -> None:
    """Append with the resolver of this test."""
    store.append(messages, resolver=star_resolver)


def append_while_others_do(store: Store, batch: Sequence[Message], others: Store, theirs: Sequence[Message]) -> None:
    """Have a batch wait for its turn, planned or not, while other messages are committed one by one and in a batch."""
    thread = threading.Thread(target=append, args=(store, batch))
    with others.opened_log.turn(1):
        thread.start()
        queue = others.log_path / FOLDER
        limit = time.monotonic() + LIMIT
        while not any(places(Path(str(queue)))) and thread.is_alive() and time.monotonic() < limit:
            time.sleep(0.001)
        assert thread.is_alive(), "it did not wait for its turn"
        others.refresh()
        for each in theirs[:3]:
            append(others, [each])
        append(others, theirs[3:])
    thread.join(LIMIT)
    assert not thread.is_alive()


def one_trial(folder: Path, draw: random.Random) -> Store:
    """Compare a store in which a batch waited with one in which everything came after each other; return the writer."""
    clock, senders = ManualClock(NOON), Senders(draw)
    plain = draw.choice((0.0, 0.7, 1.0))
    apart = draw.random() < 0.6
    counts = {"first": 30, "waits": 40, "last": 30}
    batches = {name: senders.messages("t", count, plain) for name, count in counts.items()}
    theirs = senders.messages("o" if apart else "t", 12, draw.choice((plain, 1.0)))

    store = Store.create(folder / "raced", clock=clock)
    append(store, batches["first"])
    shutil.copytree(folder / "raced", folder / "in order")
    append_while_others_do(store, batches["waits"], Store.open(folder / "raced", clock=clock), theirs)
    append(store, batches["last"])

    in_order = Store.open(folder / "in order", clock=clock)
    for each in theirs[:3]:
        append(in_order, [each])
    append(in_order, theirs[3:])
    append(Store.open(folder / "in order", clock=clock), batches["waits"])
    append(Store.open(folder / "in order", clock=clock), batches["last"])

    assert rows(folder / "in order") == rows(folder / "raced")
    assert [finding for finding in check(folder / "raced") if finding.kind == "damage"] == []
    return store


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_batch_that_waited_gives_the_rows_of_planning_again() -> None:
    """Whatever was committed while a batch waited, its rows, times and checksums are those of a fresh writer then.

    So are those of the batch after it, which the same writer plans from what it remembers. Both ways are taken: plans
    that stand but for their numbers, and plans that are made again.
    """
    print(f"LINEAGE_TT_SEED={SEED}")
    renumbered = again = 0
    for trial in range(TRIALS):
        with tempfile.TemporaryDirectory() as folder:
            writer = one_trial(Path(folder), random.Random(f"{SEED}/{trial}")).writer
            renumbered, again = renumbered + writer.renumbered, again + writer.planned_again

    assert renumbered > 0
    assert again > 0


def test_a_draft_is_kept_where_only_other_tasks_were_touched(tmp_path: Path) -> None:
    """Edges of other tasks in between do not have a waiting batch planned again."""
    store = Store.create(tmp_path / "s")
    mine = [task_change(f"mine{n}", "online", NOON, [("n:a#x", "n:b#x")]) for n in range(40)]
    theirs = [task_change(f"theirs{n}", "online", NOON, [("n:a#x", "n:b#x")]) for n in range(5)]
    append_while_others_do(store, mine, Store.open(tmp_path / "s"), theirs)

    assert (store.writer.renumbered, store.writer.planned_again) == (1, 0)
    assert store.version == 45


@pytest.mark.long
def test_only_messages_about_touched_tasks_are_placed_again(tmp_path: Path) -> None:
    """Others wrote about some tasks of a waiting batch: its rows are those of planning after them.

    The touched task has late messages and one that the other writer corrected; the next batch finds the same.
    """
    clock = ManualClock(NOON)
    store, others = Store.create(tmp_path / "raced", clock=clock), Store.open(tmp_path / "raced", clock=clock)

    def change(task: str, event: str, hours: int, source: str) -> TaskChange:
        return task_change(task, "update", NOON + hours * 3_600_000_000, [(f"n:{source}#x", "n:b#x")], event_id=event)

    append(store, [change("shared", "first", 0, "a"), change("mine", "mine first", 0, "a")])
    shutil.copytree(tmp_path / "raced", tmp_path / "in order")
    mine = [change("shared", f"s{n}", n, f"s{n}") for n in range(5)] + [change(f"m{n}", "e", n, "a") for n in range(30)]
    theirs = [change("shared", f"o{n}", n + 2, f"o{n}") for n in range(4)] + [change("theirs", "e", 0, "a")]
    after = [change("shared", f"last{n}", n, "l") for n in range(20)]
    append_while_others_do(store, mine, others, theirs)
    append(store, after)
    for each in ([theirs[0]], [theirs[1]], [theirs[2]], theirs[3:], mine, after):
        append(Store.open(tmp_path / "in order", clock=clock), each)

    assert (store.writer.renumbered, store.writer.planned_again) == (1, 0)
    assert rows(tmp_path / "in order") == rows(tmp_path / "raced")


@pytest.mark.long
def test_a_history_import_is_cut_while_others_write(tmp_path: Path) -> None:
    """Beside other writers a history is committed in pieces, with the times and rows that one commit gives it."""
    clock = ManualClock(NOON)
    store, whole = Store.create(tmp_path / "raced", clock=clock), Store.create(tmp_path / "whole", clock=clock)
    other = Store.open(tmp_path / "raced", clock=clock)
    history = [
        replace(
            task_change(f"t{n % 7}", "update", NOON, [(f"n:a#c{n % 5}", "n:b#x")], event_id=f"e{n}"),
            recorded_at=NOON + 1_000_000 * (n // 600),
        )
        for n in range(1500)
    ]
    first = [replace(history[0], event_id="first", recorded_at=NOON - 1_000_000)]
    for each in (other, whole):
        each.append(first, system_times="recorded_at")
    store.writer.append_in_pieces(history, system_times="recorded_at")
    whole.append(history, system_times="recorded_at")

    assert rows(tmp_path / "raced") == rows(tmp_path / "whole")
    assert store.opened_log.delta_version == 1 + -(-1500 // MAX_PIECE)
    recorded = [entry.system_time for entry in store.log()]
    assert recorded[600] == NOON, "all that was recorded at one time is there as of it"


def _past(draw: random.Random, version: int) -> PastMessage:
    items = [(f"s{draw.randrange(6)}", "t", "DIRECT", "IDENTITY", "") for _ in range(draw.randrange(4))]
    op = "retract" if version > 1 and draw.random() < 0.2 else "update"
    retracts = f"e{draw.randrange(1, version)}" if op == "retract" else None
    at, rank = draw.randrange(5), draw.choice((None, 1, 2))
    return PastMessage(version, "t", f"e{version}", op, at, rank, retracts, bytes([version]), items)


@pytest.mark.parametrize("number", range(40))
def test_a_history_taken_back_is_the_history_before(number: int) -> None:
    """Rewound to any version a history is that of the messages up to it; renumbered, that of the same with gaps."""
    draw = random.Random(f"{SEED}/{number}")
    messages = [_past(draw, version) for version in range(1, 15)]
    cut, by = draw.randrange(15), draw.randrange(1, 9)
    whole = TaskHistory.rebuild(messages)
    whole.renumber(cut, by)
    moved = [each._replace(version=each.version + by) if each.version > cut else each for each in messages]

    assert TaskHistory.rebuild(moved).state() == whole.state()
    whole.rewind(cut)
    assert TaskHistory.rebuild(messages[:cut]).state() == whole.state()


@pytest.mark.parametrize("number", range(40))
def test_a_history_grows_a_message_at_a_time_as_it_is_rebuilt(number: int) -> None:
    """Messages taken in one by one, or placed, give the history that all of them give together."""
    draw = random.Random(f"{SEED}/grows/{number}")
    messages = [_past(draw, version) for version in range(1, 30)]
    if number % 2:
        messages = [each for each in messages if each.op != "retract"]
    grown, placed = TaskHistory(), TaskHistory()
    for each in messages:
        grown.extend([each])
        if each.op == "retract":
            placed.withdraw(each.version, each.retracts or "")
        else:
            placed.place(each.version, each.effective_at or 0, each.source_version, each.edges)
        placed.events[each.event_id] = (each.version, each.content_sha256)

    assert grown.state() == placed.state() == TaskHistory.rebuild(messages).state()
