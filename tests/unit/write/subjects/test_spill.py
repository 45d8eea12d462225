"""Histories that do not fit in memory: a temporary file gives them back as they were."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from rounds import rounds

from lineage_tt import Store, TaskChange
from lineage_tt.log.log import Log
from lineage_tt.model.messages import Lineage, Message, NodeChange
from lineage_tt.testing import ManualClock
from lineage_tt.timeline import Record
from lineage_tt.write.subjects import histories
from lineage_tt.write.subjects.spill import SLOT_BYTES, Spill
from lineage_tt.write.subjects.tasks import TaskHistory

HOUR = 3_600_000_000


def test_values_come_back_once_and_their_room_is_used_again() -> None:
    """A value is there until it is taken; one of the same size takes its room in the file."""
    spill = Spill()
    for number in range(100):
        spill.put(number, ("x" * 1000, number))
    end = spill._end

    assert [("x" * 1000, number) for number in range(100)] == [spill.take(number) for number in range(100)]
    assert spill.take(7) is None
    assert len(spill) == 0
    for number in range(100):
        spill.put(("other", number), ["y" * 1000, number])
    spill.put(("other", 3), "z")
    assert end + SLOT_BYTES == spill._end
    assert spill.take(("other", 3)) == "z"


def random_messages(seed: int, count: int) -> list[Message]:
    """Messages of few tasks and nodes: late ones, ties, retracts, retracts of retracts, names with odd characters."""
    draw = random.Random(seed)
    names = ["n:a#x", "n:b#y", "n:c", "n:a\0b#z", "n:ü#\u2028"]
    sent: dict[str, list[str]] = {}
    messages: list[Message] = []
    for number in range(count):
        at = 10**15 + draw.randrange(12) * HOUR
        if draw.random() < 0.1:
            node = draw.choice(names[:3])
            facts = [(node, "label", draw.choice("abc"))] if draw.random() < 0.7 else []
            messages.append(NodeChange(f"e{number}", "fact", node, "set", at, fact_key="label", facts=facts))
            continue
        task = f"t{draw.randrange(5)}"
        earlier = sent.setdefault(task, [])
        if earlier and draw.random() < 0.2:
            messages.append(TaskChange(f"e{number}", task, "retract", retracts=draw.choice(earlier)))
        else:
            pairs = {(draw.choice(names), draw.choice(names)) for _ in range(draw.randrange(5))}
            edges = [(source, target, "DIRECT", "IDENTITY", draw.choice(["", "f(\0)"])) for source, target in pairs]
            facts = [(f"task:{task}", "owner", draw.choice("xy"))] if draw.random() < 0.2 else []
            version = draw.choice([None, 1, 2])
            messages.append(
                TaskChange(f"e{number}", task, "update", at, version, lineage=Lineage.of(edges), facts=facts)
            )
        earlier.append(f"e{number}")
    return messages


@pytest.mark.long
@pytest.mark.parametrize("seed", range(rounds(20)))
def test_a_store_does_not_depend_on_what_fits_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """With room for one history in memory every row, checksums included, is what it is with room for all."""
    messages = random_messages(seed, 120)
    print("seed", seed)
    sums = []
    for name, room in (("roomy", histories.MAX_IN_MEMORY), ("tight", 0)):
        monkeypatch.setattr(histories, "MAX_IN_MEMORY", room)
        store = Store.create(tmp_path / name, clock=ManualClock())
        for start in range(0, len(messages), 7):
            store.append(messages[start : start + 7])
        if name == "tight":
            assert len(store.writer._known.tasks._spilled) > 3
        sums.append(Log.open(store.log_path).checksum)

    assert sums[0] == sums[1]


def test_a_history_with_derived_versions_comes_back_whole() -> None:
    """What was derived, what stars stood for and what was retracted is kept, too."""
    history = TaskHistory()
    edges = [("n:a#x", "n:b#x", "DIRECT", "IDENTITY", ""), ("n:a#y", "n:b#y", "DIRECT", "IDENTITY", "y")]
    history.place(1, 10, None, edges)
    history.note_stars(1, [("n:a", None)])
    history.events["e1"] = (1, b"d")
    history.place(2, 20, 5, edges[:1])
    history.events["e2"] = (2, b"e")
    history.place(3, 12, None, edges[1:], derived_from=1)
    history.withdraw(4, "e2")
    spill = Spill()

    spill.put("t", history.state())
    state = spill.take("t")

    assert isinstance(state, tuple)
    found = TaskHistory.of_state(state)
    assert history.state() == found.state()
    assert list(history.spans()) == list(found.spans())
    assert all(isinstance(record, Record) for record in found._records.values())
    assert history.place(5, 15, None, []) == found.place(5, 15, None, [])
