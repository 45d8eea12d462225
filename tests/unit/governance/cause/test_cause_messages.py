"""The messages of some tasks and datasets as known at a version, read from a log that is a list of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lineage_tt.governance.cause.messages import Messages, Row
from lineage_tt.governance.cause.ports import Statement


def row(version: int, at: int | None, op: str = "update", task: str = "t", **fields: Any) -> Row:
    """A message about a task, recorded at ten times its version."""
    found = Row(version, version * 10, "task", task, op, at, None, f"e{version}", None, None, None, None, None, None)
    return found._replace(**fields)


class Log:
    """A log of rows that is asked by task, dataset and version; ``asked`` counts the questions."""

    def __init__(self, *rows: Row) -> None:
        self.rows = rows
        self.asked = 0

    def fetch(
        self, query: str, version: int, tasks: Sequence[str] = (), datasets: Sequence[str] = (),
        versions: Sequence[int] | None = None,
    ) -> list[tuple[Any, ...]]:  # fmt: skip
        """The rows of these subjects up to a version, in order."""
        self.asked += 1
        wanted = {("task", task) for task in tasks} | {("dataset", dataset) for dataset in datasets}
        return [
            tuple(each) for each in self.rows
            if each.version <= version and (each.kind, each.subject) in wanted
            and (versions is None or each.version in versions)
        ]  # fmt: skip


def read(*rows: Row, version: int = 100, tasks: Sequence[str] = ("t",), datasets: Sequence[str] = ()) -> Messages:
    """The messages of the task ``t`` (or of others), read."""
    messages = Messages(Log(*rows).fetch, version)
    messages.read(tasks, datasets)
    return messages


def versions(statements: Sequence[Statement]) -> list[int]:
    """The versions of statements."""
    return [each.version for each in statements]


def test_a_subject_is_read_once() -> None:
    """Only those not read yet are asked for, also if nothing was found of them."""
    log = Log(row(1, 5))
    messages = Messages(log.fetch, 100)
    for tasks in (["t"], ["t"], ["t", "none"], ["none"]):
        messages.read(tasks)

    assert log.asked == 2
    assert versions(messages.between(0, 10)) == [1]


def test_an_index_says_which_versions_to_read() -> None:
    """Where it knows none the log is not asked."""
    log = Log(row(1, 5), row(2, 6))
    indexed = Messages(log.fetch, 100, lambda tasks, version: [2] if "t" in tasks else [])
    indexed.read(["none"])
    assert log.asked == 0

    indexed.read(["t"])
    assert versions(indexed.between(0, 10)) == [2]


def test_what_took_effect_in_the_window_counts() -> None:
    """After its beginning and up to its end, by version."""
    messages = read(*(row(version, at, system_time=0) for version, at in ((1, 30), (2, 10), (3, 20), (4, 31))))

    assert versions(messages.between(10, 30)) == [1, 3]


def test_what_was_recorded_in_the_window_about_the_time_before_counts() -> None:
    """Version 2 is recorded at 20; up to the beginning and after the end of the window it does not count.

    Nor does a message of the window that takes effect after it.
    """
    messages = read(row(1, 1), row(2, 2), row(3, 500))

    assert versions(messages.between(19, 20)) == versions(messages.between(10, 20)) == [2]
    assert messages.between(20, 30) == []


def test_of_two_messages_of_one_time_the_greater_counter_counts() -> None:
    """Then the later version; one without a counter is less than any; the second corrects the first."""
    counters = read(row(1, 5, source_version=2), row(2, 5, source_version=1), row(3, 5))
    later = read(row(1, 5), row(2, 5))

    assert [(each.version, each.corrects) for each in counters.between(0, 9)] == [(1, False)]
    assert [(each.version, each.corrects) for each in later.between(0, 9)] == [(2, True)]


def test_a_withdrawn_message_does_not_count_and_the_retract_does_when_it_was_recorded() -> None:
    """It takes effect at the time of what it withdraws; a retract of nothing says nothing."""
    messages = read(
        row(1, 5), row(2, 6), row(3, None, "retract", retracts="e2"), row(4, None, "retract", retracts="e9")
    )

    assert [(each.version, each.op, each.withdrawn_at, each.corrects) for each in messages.between(0, 100)] == [
        (1, "update", None, False), (3, "retract", 6, True),
    ]  # fmt: skip
    assert versions(messages.between(0, 29)) == [1]


def test_a_retract_can_be_withdrawn_too() -> None:
    """Then the message counts again, and only the later retract is in force."""
    messages = read(row(1, 5), row(2, None, "retract", retracts="e1"), row(3, None, "retract", retracts="e2"))

    assert [each.version for each in messages.between(0, 25)] == [1]
    assert messages.in_force("t", 5) is not None


def test_only_what_is_known_at_the_version_counts() -> None:
    """A later retract does not withdraw yet."""
    rows = row(1, 5), row(2, 8), row(3, None, "retract", retracts="e1")

    assert versions(read(*rows, version=2).between(0, 100)) == [1, 2]
    assert versions(read(*rows).between(0, 100)) == [2, 3]


def test_before_a_statement_is_what_was_in_force_until_it_took_effect() -> None:
    """Although it was recorded later; before the first there is nothing; of another task it is another one."""
    messages = read(row(1, 30), row(2, 10), row(3, 20), row(4, 15, task="u"), tasks=("t", "u"))
    found = {each.version: messages.before(each) for each in messages.between(0, 100)}

    assert {version: each and each.version for version, each in found.items()} == {1: 3, 2: None, 3: 2, 4: None}


def test_before_a_correction_is_what_was_known_of_the_same_time() -> None:
    """Unless that was withdrawn by then; before a retract is what it withdraws."""
    messages = read(row(1, 10), row(2, 20), row(3, 20), row(4, None, "retract", retracts="e3"))
    (corrects,) = read(row(1, 10), row(2, 20), row(3, 20)).between(15, 25)
    back = messages.between(35, 45)[-1]
    withdrawn = read(row(1, 10), row(2, 20), row(3, None, "retract", retracts="e2"), row(4, 20))
    (again,) = (each for each in withdrawn.between(15, 25) if each.op == "update")

    assert [each and each.version for each in (messages.before(corrects), messages.before(back))] == [2, 3]
    assert (again.version, again.corrects) == (4, True)
    earlier = withdrawn.before(again)
    assert earlier is not None
    assert earlier.version == 1


def test_the_message_in_force_at_a_time_is_the_last_one_up_to_it() -> None:
    """None before the first, and where the task is offline; a task is read where it was not."""
    messages = Messages(Log(row(1, 10), row(2, 20, "offline"), row(3, 30)).fetch, 100)
    found = {at: messages.in_force("t", at) for at in (9, 10, 19, 20, 30)}

    assert {at: each and each.version for at, each in found.items()} == {9: None, 10: 1, 19: 1, 20: None, 30: 3}
    assert messages.in_force("nobody", 10) is None


def test_datasets_are_read_beside_tasks_of_the_same_name() -> None:
    """A declaration is a message about its dataset."""
    declared = row(2, 5, "define", "d:t", kind="dataset")
    messages = read(row(1, 5, task="d:t"), declared, tasks=["d:t"], datasets=["d:t"])

    assert [(each.kind, each.version) for each in messages.between(0, 9)] == [("task", 1), ("dataset", 2)]
