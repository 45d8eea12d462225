"""Histories of subjects: in memory up to a bound, then in a file, and from the log where neither is right."""

from __future__ import annotations

import pytest

from lineage_tt.model.messages import Subject
from lineage_tt.write.subjects import histories
from lineage_tt.write.subjects.histories import Tasks
from lineage_tt.write.subjects.items import PastMessage
from lineage_tt.write.subjects.tasks import TaskHistory

EDGE = ("n:a#x", "n:b#x", "DIRECT", "IDENTITY", "")


def past(version: int, task: str = "t") -> PastMessage:
    """An accepted row."""
    return PastMessage(version, task, f"e{version}", "update", version, None, None, b"", [EDGE])


class Log:
    """What the log holds, and what was read of it."""

    def __init__(self) -> None:
        self.rows: dict[Subject, list[PastMessage]] = {}
        self.read: list[set[Subject]] = []

    def load(self, subjects: set[Subject]) -> dict[Subject, TaskHistory]:
        """Return the histories of these subjects."""
        self.read.append(subjects)
        return {subject: TaskHistory.rebuild(self.rows[subject]) for subject in subjects if subject in self.rows}


@pytest.fixture(params=[2_000_000, 1], ids=["in memory", "in a file"])
def log(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Log:
    """A log, with room in memory for all histories or for one."""
    monkeypatch.setattr(histories, "MAX_IN_MEMORY", request.param)
    return Log()


def test_a_task_that_was_never_seen_is_not_read(log: Log) -> None:
    """A new task costs no look at the log."""
    tasks = Tasks(log.load)

    assert tasks.fetch(["new"])["new"].versions() == set()
    assert log.read == []


def test_what_was_kept_is_not_read_again(log: Log) -> None:
    """Also where most of it had no room in memory."""
    tasks = Tasks(log.load)
    for name in "abc":
        tasks.keep({name: TaskHistory.rebuild([past(1, name), past(2, name)])})

    assert {name: each.versions() for name, each in tasks.fetch("abc").items()} == {name: {1, 2} for name in "abc"}
    assert log.read == []


def test_what_was_forgotten_is_read_from_the_log(log: Log) -> None:
    """After a commit of another process, or one of our own that failed."""
    tasks = Tasks(log.load)
    tasks.keep({"a": TaskHistory.rebuild([past(1, "a")]), "b": TaskHistory.rebuild([past(2, "b")])})
    log.rows = {"a": [past(1, "a"), past(3, "a")]}
    tasks.forget(["a"])

    assert tasks.is_unread("a")
    assert tasks.fetch(["a", "b"])["a"].versions() == {1, 3}
    assert log.read == [{"a"}]


def test_a_history_taken_and_not_kept_is_read_again(log: Log) -> None:
    """It may have been changed in place: only what the log agrees with is kept."""
    tasks = Tasks(log.load)
    log.rows = {"a": [past(1, "a")]}
    tasks.keep({"a": TaskHistory.rebuild(log.rows["a"])})
    tasks.fetch(["a"])["a"].extend([past(2, "a")])
    tasks.forget(["a"])

    assert tasks.fetch(["a"])["a"].versions() == {1}


def test_a_history_in_memory_takes_in_what_others_wrote() -> None:
    """Without a look at the log."""
    log = Log()
    tasks = Tasks(log.load)
    tasks.keep({"a": TaskHistory.rebuild([past(1, "a")])})
    assert tasks.knows("a")
    tasks.extend("a", [past(2, "a")])

    assert tasks.fetch(["a"])["a"].versions() == {1, 2}
    assert log.read == []


def test_fetched_histories_count_towards_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch about many tasks takes no memory beyond it: as many others leave."""
    log, each = Log(), TaskHistory.rebuild([past(1)]).weight
    monkeypatch.setattr(histories, "MAX_IN_MEMORY", 3 * each)
    tasks = Tasks(log.load)
    for name in "abcde":
        tasks.keep({name: TaskHistory.rebuild([past(1, name)])})

    fetched = tasks.fetch("ab")

    assert [name for name in "cde" if tasks.knows(name)] == ["e"]
    tasks.keep(fetched)
    assert [name for name in "abcde" if tasks.knows(name)] == ["a", "b", "e"]
    assert all(history.versions() == {1} for history in tasks.fetch("abcde").values())
    assert log.read == []
