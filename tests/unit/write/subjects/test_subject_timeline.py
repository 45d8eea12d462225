"""Which messages of a subject count, by a timeline that is kept and by one made from all of them."""

from __future__ import annotations

import random
import secrets

from lineage_tt.timeline import StatementSpan
from lineage_tt.write.subjects.subject_timeline import last_added
from lineage_tt.write.subjects.tasks import TaskHistory

EDGES = [(f"n:s#{name}", "n:o#x", "DIRECT", "IDENTITY", "") for name in "abc"]


def online(history: TaskHistory, version: int, at: int, rank: int | None = None, derived: int | None = None) -> None:
    """Place a message, whose event is named after its version."""
    history.place(version, at, rank, [EDGES[version % 3]], derived)
    history.events[f"e{version}"] = (version, b"")


def test_messages_hold_until_the_next_one() -> None:
    """A stretch of each, the last one open; looking from a time on begins with the one in force then."""
    history = TaskHistory()
    online(history, 1, 0)
    online(history, 2, 10)

    assert list(history.spans()) == [StatementSpan(1, 0, 10), StatementSpan(2, 10, None)]
    assert list(history.spans(10)) == [StatementSpan(2, 10, None)]
    assert list(history.spans(-5)) == [StatementSpan(1, 0, 10), StatementSpan(2, 10, None)]
    assert [history.statement_at(at) for at in (0, 5, 10)] == [1, None, 2]


def test_a_greater_source_version_wins_and_the_loser_knows_by_whom() -> None:
    """Whoever corrects the loser needs a source version of at least the winner's."""
    history = TaskHistory()
    online(history, 1, 0, rank=7)
    online(history, 2, 0, rank=3)
    online(history, 3, 5)

    assert list(history.spans()) == [StatementSpan(1, 0, 5), StatementSpan(3, 5, None)]
    assert (history.superseded_by(2), history.superseded_by(1), history.superseded_by(3)) == (1, None, None)
    assert (history.source_version_to_win(2), history.source_version_to_win(3)) == (7, None)


def test_a_retract_and_its_retract() -> None:
    """The message is gone, and comes back; a plain timeline becomes one that is made from all messages."""
    history = TaskHistory()
    online(history, 1, 0)
    online(history, 2, 10)
    history.withdraw(3, "e2")
    history.events["e3"] = (3, b"")
    assert history.versions_in_force() == {1}
    assert history.withdrawn_by("e2") == 3

    history.withdraw(4, "e3")
    assert history.versions_in_force() == {1, 2}


def test_derived_versions_count_as_their_message() -> None:
    """From their own time on, as long as the message itself is in force."""
    history = TaskHistory()
    online(history, 1, 0)
    online(history, 2, 20)
    online(history, 3, 10, derived=1)

    assert list(history.spans()) == [StatementSpan(1, 0, 20), StatementSpan(2, 20, None)]
    assert history.derived(1) == {10: 3}
    assert [history.in_force(1, at) for at in (0, 9, 10)] == [1, 1, 3]
    assert history.has_derived
    assert history.visible_versions() == {1, 2, 3}


def test_a_plain_timeline_is_what_all_messages_make_and_can_be_taken_back() -> None:
    """Random messages one by one: the same as all at once; rewinding gives what was before."""
    seed = secrets.randbits(32)
    print("seed", seed)
    draw = random.Random(seed)
    for _ in range(40):
        said = [(draw.randrange(6), draw.choice((None, draw.randrange(4)))) for _ in range(draw.randrange(1, 14))]
        history, seen = TaskHistory(), []
        for version, (at, rank) in enumerate(said, 1):
            online(history, version, at, rank)
            seen.append(list(history.spans()))
        best: dict[int, tuple[int, int]] = {}
        for version, (at, rank) in enumerate(said, 1):
            best[at] = max(best.get(at, (-9, 0)), (-1 if rank is None else rank, version))
        times = sorted(best)

        assert seen[-1] == [
            StatementSpan(best[at][1], at, then) for at, then in zip(times, [*times[1:], None], strict=True)
        ]
        back = draw.randrange(1, len(said) + 1)
        history.rewind(back)
        assert list(history.spans()) == seen[back - 1]


def test_the_last_keys_come_newest_first() -> None:
    """Only as far back as they are later."""
    assert last_added(dict.fromkeys((1, 2, 5, 9)), lambda key: key > 2) == [9, 5]
    assert last_added({}, lambda key: True) == []
