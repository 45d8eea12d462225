"""Small appends that wait are committed by the writer whose turn it is: each once, as if its own writer had done it."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from policy_texts import holders
from programs import running, says
from waiting import LIMIT, until, until_stopped

import lineage_tt
from lineage_tt import Store
from lineage_tt.log import commits
from lineage_tt.log.commit_file import CARRIED
from lineage_tt.maintenance.check import check
from lineage_tt.model.messages import Change, Message, NodeChange, Receipt, TaskChange
from lineage_tt.storage.tickets import offered, places
from lineage_tt.storage.write_queue import FOLDER
from lineage_tt.testing import ManualClock, task_change

SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))
ROOT = Path(lineage_tt.__file__).parents[1]
NOON = 1_714_564_800_000_000
HOUR = 3_600_000_000

#: Appends one message when a line comes, says the receipt, and again for the next line.
WRITER = """
import sys
from lineage_tt import Store
from lineage_tt.testing import task_change
store = Store.open(sys.argv[1])
print("ready", flush=True)
for number, _ in enumerate(sys.stdin):
    made = task_change(sys.argv[2], "update", 1_714_564_800_000_000 + number, [("n:a#x", f"n:b#y{number}")], event_id=f"e{number}")
    receipt = store.append([made])[0]
    print(receipt.status, receipt.version, flush=True)
"""  # noqa: E501


def change(task: str, number: int) -> TaskChange:
    """One edge of a task, another one for each number."""
    return task_change(task, "update", NOON + number, [("n:a#x", f"n:b#y{number}")], event_id=f"e{number}")


def folder_of(store: Store) -> Path:
    """The folder of a store's log."""
    return Path(str(store.log_path))


def offers(store: Store) -> int:
    """How many tickets hold an offer."""
    folder = folder_of(store) / FOLDER
    return sum(offered(folder, place) is not None for place in places(folder))


def carried(store: Store) -> list[int]:
    """How many offers each commit took, of those that took any."""
    made = [commits.read_commit(folder_of(store), number) for number in range(1, store.opened_log.delta_version + 1)]
    return [len(commit.meta[CARRIED]) for commit in made if CARRIED in commit.meta]


def rows(path: Path) -> list[tuple[object, ...]]:
    """Return all that the log says."""
    return Store.open(path).sql("SELECT * FROM log ORDER BY version")[1]


def assert_whole(store: Store, messages: int) -> None:
    """The store holds so many messages, each once, and is sound."""
    store.refresh()

    assert store.version == messages
    assert len({(row.task_id or row.subject, row.event_id) for row in store.log()}) == messages
    assert [finding for finding in check(folder_of(store).parent) if finding.kind == "damage"] == []


class Waiting:
    """Appends that begin while another writer has its turn, each in a thread and by a store of its own."""

    def __init__(self, appends: Sequence[tuple[Store, Sequence[Message]]]) -> None:
        self.receipts: list[list[Receipt]] = [[] for _ in appends]
        self._threads = [
            threading.Thread(target=self._append, args=(number, store, messages))
            for number, (store, messages) in enumerate(appends)
        ]

    def _append(self, number: int, store: Store, messages: Sequence[Message]) -> None:
        self.receipts[number] = store.append(messages)

    def begin(self, store: Store) -> None:
        """Begin them one after the other, each when the one before has its ticket."""
        for number, thread in enumerate(self._threads):
            thread.start()
            until(lambda: len(places(folder_of(store) / FOLDER)) > number, "it waits")  # noqa: B023
        before = -1
        while before < (before := offers(store)):
            time.sleep(0.05)

    def end(self) -> None:
        """Wait for them."""
        for thread in self._threads:
            thread.join(LIMIT)
            assert not thread.is_alive()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store."""
    return Store.create(tmp_path / "lineage")


def opened(store: Store, count: int) -> list[Store]:
    """Writers beside a store, each of which knows a task of its own."""
    result = [Store.open(folder_of(store).parent) for _ in range(count)]
    for number, each in enumerate(result):
        each.append([change(f"t{number}", 0)])
    store.refresh()
    return result


def test_what_waits_is_committed_with_the_turn_of_another(store: Store) -> None:
    """Four small appends that wait for a fifth are in its commit; their receipts are those of their own appends."""
    others = opened(store, 4)
    waiting = Waiting([(other, [change(f"t{number}", 1)]) for number, other in enumerate(others)])
    with store.opened_log.turn(1):
        waiting.begin(store)
        assert offers(store) == 4
        mine = store.append([change("mine", 1)])
    waiting.end()

    assert carried(store) == [4]
    assert [receipt.version for receipt in mine] == [5]
    assert [(each.status, each.version, each.changes) for (each,) in waiting.receipts] == [
        ("accepted", version, 3) for version in range(6, 10)
    ]
    again = [other.append([change(f"t{number}", 1)])[0] for number, other in enumerate(others)]
    assert [(each.status, each.version) for each in again] == [("duplicate", version) for version in range(6, 10)]
    assert_whole(store, 9)


def test_what_the_turn_is_about_is_not_taken_along(store: Store) -> None:
    """An append about the very task of the turn's own comes after it by itself, placed on what that said."""
    first, second = opened(store, 2)
    waiting = Waiting([(first, [change("t0", 5)]), (second, [change("t1", 5)])])
    with store.opened_log.turn(1):
        waiting.begin(store)
        store.append([change("t0", 3)])
    waiting.end()

    assert carried(store) == [1]
    assert [each.changes for (each,) in waiting.receipts] == [3, 3]
    assert_whole(store, 5)


def test_what_depends_on_more_than_its_task_is_not_offered(store: Store) -> None:
    """Columns of a dataset, a retract and a message that is rejected wait for their own turns."""
    columns = NodeChange("e1", "dataset", "n:d", "define", NOON, fields=[])
    retract = task_change("t1", "retract", event_id="r", retracts="e0")
    unknown = task_change("t2", "retract", event_id="r", retracts="never sent")
    messages: list[Message] = [columns, retract, unknown]
    waiting = Waiting([(other, [each]) for other, each in zip(opened(store, 3), messages, strict=True)])
    with store.opened_log.turn(1):
        waiting.begin(store)
        assert offers(store) == 0
        store.append([change("mine", 1)])
    waiting.end()

    assert carried(store) == []
    assert [each.status for (each,) in waiting.receipts] == ["accepted", "accepted", "rejected"]
    assert_whole(store, 7)


@contextmanager
def writing(store: Store, task: str, failpoint: str = "") -> Iterator[subprocess.Popen[str]]:
    """Run a writer in a process of its own for the length of the block."""
    with running(WRITER, folder_of(store).parent, task, failpoint=failpoint) as process:
        assert says(process) == "ready"
        yield process


def go(process: subprocess.Popen[str]) -> None:
    """Have a writer append once."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


@pytest.mark.parametrize(("step", "is_committed"), [("p3:before", False), ("p3:data", False), ("p3:after", True)])
def test_a_writer_that_is_killed_takes_nobody_along(store: Store, step: str, is_committed: bool) -> None:
    """Killed before, while or after it commits the appends of others: these are in the log once, and are accepted.

    After the commit their tickets are still in the queue, and nobody woke their owners.
    """
    others = opened(store, 3)
    waiting = Waiting([(other, [change(f"t{number}", 1)]) for number, other in enumerate(others)])
    with writing(store, "theirs", f"{step}:stop") as leader:
        with store.opened_log.turn(1):
            go(leader)
            until(lambda: offers(store) == 1, "the one to be killed waits first")
            waiting.begin(store)
        until_stopped(leader.pid)
        leader.kill()
        waiting.end()

    assert carried(Store.open(folder_of(store).parent)) == ([3] if is_committed else [2])
    assert [each.status for (each,) in waiting.receipts] == ["accepted"] * 3
    assert_whole(store, 3 + 3 + is_committed)


def test_an_owner_that_is_killed_or_suspended_holds_up_nobody(store: Store) -> None:
    """The offer of a dead writer is not taken; that of a suspended one is, and it finds its message in the log."""
    with writing(store, "dead") as dead, writing(store, "asleep") as asleep:
        with store.opened_log.turn(1):
            for process in (dead, asleep):
                go(process)
            until(lambda: offers(store) == 2, "both wait")
            dead.kill()
            dead.wait(LIMIT)
            asleep.send_signal(signal.SIGSTOP)
            assert offers(store) == 1
            store.append([change("mine", 1)])
        assert carried(store) == [1]
        store.append([change("mine", 2)])
        asleep.send_signal(signal.SIGCONT)

        assert says(asleep) == "accepted 2"
        go(asleep)
        assert says(asleep) == "accepted 4"
    assert_whole(store, 4)


@pytest.mark.parametrize("damage", ["cut", "altered", "of another release", "no offer"])
def test_an_offer_that_cannot_be_read_is_left_to_its_owner(store: Store, damage: str) -> None:
    """Half an offer, altered bytes, or the offer of another release is none: its owner commits in its own turn."""
    (other,) = opened(store, 1)
    waiting = Waiting([(other, [change("t0", 1)])])
    with store.opened_log.turn(1):
        waiting.begin(store)
        (ticket,) = [folder_of(store) / FOLDER / place.name for place in places(folder_of(store) / FOLDER)]
        data = ticket.read_bytes()
        if damage in ("of another release", "no offer"):
            body = data.partition(b"\n")[2].replace(b'"form":[1,', b'"form":[0,') if damage[0] == "o" else b"[null]"
            data = hashlib.sha256(body).hexdigest().encode() + b"\n" + body
        elif damage == "altered":
            data = data.replace(b"n:b#y1", b"n:b#y9")
        else:
            data = data[:-9]
        ticket.write_bytes(data)
        store.append([change("mine", 1)])
    waiting.end()

    assert carried(store) == []
    assert [each.status for (each,) in waiting.receipts] == ["accepted"]
    assert_whole(store, 3)


def test_an_offer_that_a_killed_writer_left_does_not_outlive_a_stricter_policy(store: Store) -> None:
    """Its texts are those of the policy before: it goes when history is made to obey the new one."""
    with writing(store, "secret") as dead, store.opened_log.turn(1):
        go(dead)
        until(lambda: offers(store) == 1, "it waits")
        dead.kill()
        dead.wait(LIMIT)
    folder = folder_of(store) / FOLDER
    assert any(b"secret" in (folder / place.name).read_bytes() for place in places(folder))
    Store.open(folder_of(store).parent).set_text_policy("drop-text", "the audit", history=True)

    assert places(folder) == []


@pytest.mark.parametrize("is_adopted", [False, True], ids=["adopted", "tightened"])
def test_a_policy_is_not_taken_along(store: Store, *, is_adopted: bool) -> None:
    """Where a policy, or history that obeys it, waits for a turn, the commit that says so is its own.

    The row alone in another's commit recorded that history was rewritten, and every old file was in force.
    """
    store.append([replace(change("t", 0), reason="SELECT 'secret'")])
    operator = Store.open(folder_of(store).parent)
    if is_adopted:
        operator.set_text_policy("drop-text", "the audit")
        store.refresh()
    thread = threading.Thread(target=lambda: operator.set_text_policy("drop-text", "the audit", history=True))
    with store.opened_log.turn(1):
        thread.start()
        until(lambda: bool(places(folder_of(store) / FOLDER)), "it waits")
        time.sleep(0.1)
        assert offers(store) == 0
        mine = store.append([change("mine", 1)])
    thread.join(LIMIT)

    assert not thread.is_alive()
    assert [receipt.version for receipt in mine] == [2 + is_adopted]
    assert carried(store) == []
    assert holders(folder_of(store).parent, "secret") == []
    assert_whole(store, 4)
    assert store.texts.tightened is not None


def test_an_accepted_clock_is_not_taken_along(store: Store) -> None:
    """The commit that says up to when the clock is accepted is the operator's own."""
    store.append([change("t", 0)])
    ahead = Store.open(folder_of(store).parent, clock=ManualClock(store.opened_log.system_time - 48 * HOUR))
    thread = threading.Thread(target=lambda: ahead.writer.accept_clock("the clock was a year ahead"))
    with store.opened_log.turn(1):
        thread.start()
        until(lambda: bool(places(folder_of(store) / FOLDER)), "it waits")
        time.sleep(0.1)
        assert offers(store) == 0
        store.append([change("mine", 1)])
    thread.join(LIMIT)

    store.refresh()
    assert not thread.is_alive()
    assert store.opened_log.clock_accepted is not None
    assert carried(store) == []


def drawn(draw: random.Random, writer: int, number: int) -> list[Change]:
    """Return what a writer appends: about its own tasks, those of all, or the owner of a node; a batch now and then."""
    count = 80 if writer == 0 else draw.choice((1, 1, 1, 3))
    result: list[Change] = []
    for place in range(count):
        event, at = f"{writer}/{number}/{place}", NOON + draw.randrange(9)
        if draw.random() < 0.15:
            fact = (f"n:d{writer}#x", "owner", event)
            result.append(NodeChange(event, "fact", fact[0], "set", at, fact_key="owner", facts=[fact]))
            continue
        task = f"shared{draw.randrange(3)}" if draw.random() < 0.3 else f"w{writer}/{draw.randrange(4)}"
        edges = [(f"n:a#c{draw.randrange(4)}", f"n:b#{each}") for each in range(draw.randrange(3))]
        result.append(task_change(task, "update", at, edges, event_id=event))
    return result


@pytest.mark.timeout(300)
def test_the_log_is_what_one_writer_makes_of_its_messages(tmp_path: Path) -> None:
    """Six writers at once, whose appends are taken along by each other: one writer, given the messages in the order
    of the log, writes the same rows, with the same times and checksums.
    """
    print(f"LINEAGE_TT_SEED={SEED}")
    clock, sent = ManualClock(NOON), dict[tuple[object, object], Message]()
    store = Store.create(tmp_path / "raced", clock=clock)

    def write(writer: int) -> None:
        draw, own = random.Random(f"{SEED}/{writer}"), Store.open(tmp_path / "raced", clock=clock)
        for number in range(12 if writer else 6):
            messages = drawn(draw, writer, number)
            sent.update({(message.subject, message.event_id): message for message in messages})
            assert {receipt.status for receipt in own.append(messages)} == {"accepted"}

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    store.refresh()
    found = store.sql("SELECT task_id, kind, subject, fact_key, event_id FROM log ORDER BY version")[1]
    order = [(task or (kind, subject, key), event) for task, kind, subject, key, event in found]

    assert len(order) == len(sent) == store.version
    assert sum(carried(store)) > 0
    in_order = Store.create(tmp_path / "in order", clock=clock)
    for place in range(0, len(order), 50):
        in_order.append([sent[key] for key in order[place : place + 50]])
    assert rows(tmp_path / "in order") == rows(tmp_path / "raced")
