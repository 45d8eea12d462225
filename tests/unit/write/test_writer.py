"""The write path: what is taken in, what is refused, what two writers do to each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from lineage_tt import Lineage, RejectedMessage, Store, TaskChange
from lineage_tt.log.stores.local import DiskKeeper
from lineage_tt.model.edges import Edge
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import Message, Receipt
from lineage_tt.model.times import FIRST
from lineage_tt.storage import failpoints
from lineage_tt.storage.failpoints import FailpointError
from lineage_tt.testing import ManualClock, task_change

NOON = "2024-05-01T12:00:00Z"
LATER = "2024-05-02T12:00:00Z"
A, B, C = ("n:a#x", "n:b#x"), ("n:a#y", "n:b#x"), ("n:b#x", "n:c#x")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store under a clock that stands still."""
    return Store.create(tmp_path / "lineage", clock=ManualClock())


def edges_of(store: Store, at: str = LATER) -> set[tuple[str, str]]:
    """The ends of the edges in force."""
    return {(edge.source, edge.target) for edge in store.as_of(at).edges()}


def test_a_message_counts_once(store: Store) -> None:
    """The same message again, in the same batch or later, is a receipt that names the version it repeats."""
    message = task_change("t", "online", NOON, [A])

    assert store.append([message, message]) == [Receipt(1, "accepted", 1), Receipt(1, "duplicate")]
    assert store.append([message]) == [Receipt(1, "duplicate")]
    assert Store.open(str(store.log_path.parent)).append([message]) == [Receipt(1, "duplicate")]
    assert store.version == 1


def test_the_order_of_edges_is_not_content(store: Store) -> None:
    """The same edges in another order, or one of them twice, are the same message."""
    store.append([task_change("t", "online", NOON, [A, B])])

    assert store.append([task_change("t", "online", NOON, [B, A, B])])[0].status == "duplicate"


@pytest.mark.parametrize(
    "other",
    [
        task_change("t", "online", NOON, [B], event_id="e"),
        task_change("t", "update", NOON, [A], event_id="e"),
        task_change("t", "online", LATER, [A], event_id="e"),
        task_change("t", "online", NOON, [A], event_id="e", source_version=1),
        task_change("t", "offline", NOON, event_id="e"),
        task_change("t", "retract", event_id="e", retracts="e"),
    ],
    ids=["edges", "op", "time", "source version", "offline", "retract"],
)
def test_other_content_under_a_known_event_is_refused(store: Store, other: TaskChange) -> None:
    """The first content of an event is kept; the other is a dead letter, once however often it comes."""
    store.append([task_change("t", "online", NOON, [A], event_id="e")])

    again = Receipt(2, "duplicate", repeats_rejected=True)
    assert [store.append([other])[0] for _ in range(2)] == [Receipt(2, "rejected"), again]
    assert [letter.code for letter in store.dead_letters()] == ["conflicting-duplicate"]
    assert edges_of(store) == {A}
    assert Store.open(str(store.log_path.parent)).append([other]) == [Receipt(2, "duplicate", repeats_rejected=True)]


def test_events_of_two_tasks_may_share_a_name(store: Store) -> None:
    """An event id is a task's own."""
    receipts = store.append([task_change(task, "online", NOON, [A], event_id="e") for task in ("t", "u")])

    assert [receipt.status for receipt in receipts] == ["accepted", "accepted"]


def test_a_retract_of_an_unknown_event_is_refused_until_it_came(store: Store) -> None:
    """It is a dead letter; sent again after the event that it names, it counts."""
    retract = task_change("t", "retract", retracts="e", event_id="r")

    assert store.append([retract])[0] == Receipt(1, "rejected")
    assert store.dead_letters()[0].code == "unknown-event"
    store.append([task_change("t", "online", NOON, [A], event_id="e")])
    assert store.append([retract])[0] == Receipt(3, "accepted", 1)
    assert edges_of(store) == set()


def test_a_task_cannot_retract_what_another_said(store: Store) -> None:
    """A retract names an event of its own task."""
    store.append([task_change("t", "online", NOON, [A], event_id="e")])

    assert store.append([task_change("u", "retract", retracts="e", event_id="r")])[0].status == "rejected"


def test_a_retract_cannot_name_itself(store: Store) -> None:
    """A retract of its own event is refused: it has not come before."""
    assert store.append([task_change("t", "retract", retracts="r", event_id="r")])[0].status == "rejected"


def test_a_dead_letter_keeps_the_message_whole(store: Store) -> None:
    """A message that came as a value is kept as JSON with every field that was set, zeros too."""
    store.append([task_change("t", "online", 0, [A], event_id="e")])
    store.append([task_change("t", "update", 0, [B], event_id="e", source_version=0)])

    kept = orjson.loads(store.dead_letters()[0].raw)
    assert (kept["effective_at"], kept["source_version"], kept["op"]) == (0, 0, "update")
    assert [(e["source"], e["target"]) for e in kept["edges"]] == [B]


def test_two_messages_that_differ_in_a_zero_are_two_dead_letters(store: Store) -> None:
    """Refused messages are distinguished by all that they say."""
    store.append([task_change("t", "online", NOON, [A], event_id="e")])
    receipts = store.append(
        [task_change("t", "update", NOON, [B], event_id="e", source_version=v) for v in (None, 0, 1)]
    )

    assert [receipt.status for receipt in receipts] == ["rejected"] * 3


def test_bytes_that_were_refused_before_the_store_are_rows(store: Store) -> None:
    """A poison message is a row of the log with its bytes, and the good ones after it count."""
    poison = RejectedMessage(b"\xff\x00{", "not-json", "it is not JSON", position=7)
    receipts = store.append([poison, task_change("t", "online", NOON, [A]), poison], source="file")

    again = Receipt(1, "duplicate", repeats_rejected=True)
    assert receipts == [Receipt(1, "rejected"), Receipt(2, "accepted", 1), again]
    letter = store.dead_letters()[0]
    assert (letter.raw, letter.code, letter.source, letter.source_position) == (b"\xff\x00{", "not-json", "file", 7)


def test_sql_without_a_resolver_is_the_callers_mistake(store: Store) -> None:
    """A store that parses no SQL refuses the call, takes in nothing, and continues."""
    message = task_change("t", "online", NOON)
    message.lineage, message.sql = None, "SELECT 1"
    with pytest.raises(InvalidRequestError, match="carries SQL"):
        store.append([task_change("u", "online", NOON, [A]), message])

    assert store.version == 0
    assert store.append([task_change("u", "online", NOON, [A])]) == [Receipt(1, "accepted", 1)]


def test_an_edit_that_changes_no_edge_is_a_version_without_changes(store: Store) -> None:
    """The same edges under a new event are a version, and the feed is silent about it."""
    store.append([task_change("t", "online", NOON, [A]), task_change("t", "update", LATER, [A])])

    assert store.version == 2
    assert [entry.version for entry in store.changes()] == [1]


def test_a_stale_writer_rebases(tmp_path: Path) -> None:
    """Two writers on one task: the second to commit sees the first one's message before it places its own."""
    one = Store.create(tmp_path, clock=ManualClock())
    other = Store.open(tmp_path, clock=ManualClock())
    one.append([task_change("t", "online", NOON, [A])])
    other.append([task_change("t", "online", LATER, [B])])

    assert one.append([task_change("t", "update", LATER, [C])]) == [Receipt(3, "accepted", 2)]
    assert edges_of(one) == {C}
    assert edges_of(one, NOON) == {A}


def test_a_refresh_does_not_hide_other_writers_messages_from_the_writer(tmp_path: Path) -> None:
    """A reader's refresh moves the log on; the next append still places its message behind what others wrote."""
    one = Store.create(tmp_path, clock=ManualClock())
    one.append([task_change("t", "online", NOON, [A])])
    Store.open(tmp_path, clock=ManualClock()).append([task_change("t", "update", NOON, [B])])
    one.refresh()
    one.append([task_change("t", "update", LATER, [C])])

    assert edges_of(one) == {C}
    assert edges_of(one, NOON) == {B}


class OvertakenKeeper(DiskKeeper):
    """Right after whose next commit another writer puts one of its own."""

    def __init__(self, path: Path, other: Store, message: TaskChange) -> None:
        super().__init__(path)
        self._other = other
        self._message: TaskChange | None = message

    def put_file(self, *args: Any) -> bool:
        """Commit, then let the other one commit before we look again."""
        done = super().put_file(*args)
        message, self._message = self._message, None
        if message:
            self._other.append([message])
        return done


def test_a_commit_right_behind_our_own_is_taken_in(tmp_path: Path) -> None:
    """Another writer's commit between our own and the look at the log is not lost to our next message."""
    one = Store.create(tmp_path, clock=ManualClock())
    other = Store.open(tmp_path, clock=ManualClock())
    late = task_change("t", "update", NOON, [B], event_id="other")
    one.writer.log._keeper = OvertakenKeeper(tmp_path / "log", other, late)
    one.append([task_change("t", "online", NOON, [A])])

    assert one.version == 2
    assert one.append([late]) == [Receipt(2, "duplicate")]
    one.append([task_change("t", "update", LATER, [C])])
    assert edges_of(one, NOON) == {B}
    assert edges_of(one) == {C}


@pytest.mark.parametrize("point", ["p3:after", "p4:after", "p5:before"])
def test_what_a_failed_append_committed_is_known(store: Store, point: str) -> None:
    """An append that fails after its commit is in the log: the same process repeats it and adds nothing."""
    batch: list[Message] = [RejectedMessage(b"?", "not-json", ""), task_change("t", "online", NOON, [A])]
    with failpoints.armed(f"{point}:raise"), pytest.raises(FailpointError):
        store.append(batch)

    assert edges_of(store) == {A}
    assert [receipt.status for receipt in store.append(batch)] == ["duplicate", "duplicate"]
    assert store.writer.log.acknowledged
    assert store.version == 2


def test_columns_that_a_failed_append_committed_are_known(store: Store) -> None:
    """The columns that an append declared are in the catalog even where it failed after its commit."""
    first = task_change("t", "online", NOON)
    first.lineage = Lineage(edges=[Edge(*A)], outputs=[("n:b", ("x", "y"))])
    with failpoints.armed("p3:after:raise"), pytest.raises(FailpointError):
        store.append([first])
    asked: list[object] = []

    def resolve(waiting: object) -> list[Lineage]:
        asked.extend(columns.get("n:b") for _, columns in waiting)  # type: ignore[attr-defined]
        return [Lineage()]

    second = task_change("u", "online", LATER)
    second.lineage, second.sql = None, "SELECT * FROM b"
    store.append([second], resolver=resolve)

    assert asked == [("x", "y")]


def test_a_failed_append_leaves_the_columns_as_they_were(store: Store) -> None:
    """What a batch declares and withdraws in memory is undone where its commit did not come to be."""
    first = task_change("t", "online", NOON, event_id="e")
    first.lineage = Lineage(edges=[Edge(*A)], outputs=[("n:b", ("x",))])
    store.append([first])
    second = task_change("t", "update", LATER)
    second.lineage = Lineage(outputs=[("n:b", ("y",)), ("n:c", ("z",))])
    asked: list[object] = []

    def resolve(waiting: object) -> list[Lineage]:
        asked.extend((columns.get("n:b"), columns.get("n:c")) for _, columns in waiting)  # type: ignore[attr-defined]
        return [Lineage()]

    for number, batch in enumerate([[second], [second, task_change("t", "retract", retracts="e", event_id="r")]]):
        with failpoints.armed("p3:before:raise"), pytest.raises(FailpointError):
            store.append(batch)
        reader = task_change("u", "online", LATER, event_id=str(number))
        reader.lineage, reader.sql = None, "SELECT * FROM b"
        store.append([reader], resolver=resolve)

    assert asked == [(("x",), None)] * 2


def test_columns_of_a_message_in_the_same_batch_are_known_at_its_turn(store: Store) -> None:
    """SQL is parsed for all at once; where a message before it changed the columns it used, it is parsed again."""
    calls: list[object] = []

    def resolve(waiting: object) -> list[Lineage]:
        made = []
        for message, columns in waiting:  # type: ignore[attr-defined]
            calls.append((message.task_id, columns.get("n:b")))
            outputs = [("n:b", ("x",))] if message.task_id == "t" else []
            made.append(Lineage(outputs=outputs, lookups=[("n:b", columns.get("n:b"))]))
        return made

    batch = [task_change(task, "online", NOON) for task in ("t", "u")]
    for message in batch:
        message.lineage, message.sql = None, "SELECT * FROM b"
    store.append(batch, resolver=resolve)

    assert calls == [("t", None), ("u", None), ("u", ("x",))]


def test_a_failed_append_leaves_nothing(store: Store) -> None:
    """An append that fails before its commit is not in the log, and what it made in memory is forgotten."""
    store.append([task_change("t", "online", NOON, [A], event_id="e")])
    for point in ("p2:after", "p3:before", "p3:data"):
        with failpoints.armed(f"{point}:raise"), pytest.raises(FailpointError):
            store.append([task_change("t", "retract", retracts="e", event_id="r")])

    assert store.version == 1
    assert store.append([task_change("t", "update", LATER, [B])]) == [Receipt(2, "accepted", 3)]
    assert edges_of(store, NOON) == {A}


def test_versions_within_one_microsecond_keep_their_order(store: Store) -> None:
    """Several messages at one instant of a clock that stands still have system times of their own, in order."""
    for number in range(3):
        store.append([task_change("t", "update", NOON, [(f"n:a#{number}", "n:b#x")], event_id=str(number))])
    times = [entry.system_time for entry in store.log()]

    assert [time - times[0] for time in times] == [0, 1, 2]
    assert edges_of(store) == {("n:a#2", "n:b#x")}


@pytest.mark.parametrize("at", ["1900-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"])
def test_any_year_is_a_valid_time(store: Store, at: str) -> None:
    """A message effective in 1900 or in 9999 is in force from then on, to the microsecond."""
    message = task_change("t", "online", at, [A])
    store.append([message])
    instant = message.effective_at or 0

    assert store.as_of(instant).edges()[0].valid_from == instant
    assert store.as_of(max(instant - 1, FIRST)).edges() == ([] if instant > FIRST else store.as_of(instant).edges())
    assert Store.open(str(store.log_path.parent)).append([message])[0].status == "duplicate"


def test_an_answer_repeats_at_its_basis(store: Store) -> None:
    """What was believed at a version is believed at it for ever, whatever comes later."""
    store.append([task_change("t", "online", NOON, [A])])
    view = store.as_of(LATER)
    store.append([task_change("t", "update", NOON, [B], event_id="correction")])

    assert [e[:3] for e in store.as_of(view.basis.valid_at, version=view.basis.version).edges()] == [("t", *A)]
    assert edges_of(store) == {B}


def test_future_belief_is_answered_at_the_last_commit(store: Store) -> None:
    """A question as of a system time after the last commit is answered at the last commit, and says so."""
    store.append([task_change("t", "online", NOON, [A])])

    assert store.as_of(LATER, "9999-01-01T00:00:00Z").basis == store.as_of(LATER).basis


@pytest.mark.long
def test_tens_of_thousands_of_edges(store: Store) -> None:
    """A message with 30,000 edges, and one that withdraws most of them, are stored and answered."""
    many = [(f"n:a#c{n}", "n:b#x") for n in range(30_000)]
    store.append([task_change("t", "online", NOON, many), task_change("t", "update", LATER, many[:10])])

    assert len(store.as_of(NOON).edges()) == 30_000
    assert len(store.as_of(LATER).edges()) == 10
