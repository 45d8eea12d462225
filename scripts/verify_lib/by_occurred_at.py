"""``effective_at`` = ``occurred_at``: messages come late, and the naive model says what holds when.

Every task is a model of its own (tasks do not touch one another in the semantics), so that the naive model stays
affordable. Compared are, for every version of every task, all its rectangles: with them every valid time at every
system time. And at points drawn at random, boundaries of valid time and their neighbours, the answers themselves.

Tasks whose star is resolved again are left out here: what a star stands for depends on other tasks. They are compared
in order of recording, and under any order by the model of stars in the tests.
"""

from __future__ import annotations

import random
from collections import Counter

from reference import Model, Sent

from lineage_tt.store import Store
from verify_lib.parsing import Parsed
from verify_lib.stream import Raw, Stream
from verify_lib.tally import Tally

_CHANGES = """SELECT task_id, version, sign, source, target, "type", subtype, expression,
    epoch_us(valid_from), epoch_us(valid_to) FROM changes ORDER BY task_id, version, sign"""


class TaskModel:
    """The naive model of one task, with the stream's versions beside the model's own."""

    def __init__(self) -> None:
        self.model = Model()
        self.versions: list[int] = []

    def receive(self, message: Raw, parsed: Parsed) -> None:
        """Take in one message."""
        version = message["version"]
        sent = Sent(message["task_id"], message["event_id"], message["op"], message["occurred_at"],
                    edges=parsed.edges[version])  # fmt: skip
        assert self.model.receive(sent, version)[1] == "accepted"
        self.versions.append(version)

    def known(self, version: int) -> int:
        """Return the model's version for the stream's."""
        return sum(1 for own in self.versions if own <= version)


def models_of(stream: Stream, parsed: Parsed, store: Store) -> dict[str, TaskModel]:
    """Return the model of every task after the whole stream, but of those that were resolved again.

    Those had columns that came late: tests/model/test_star_model.py and test_order_model.py judge them.
    """
    models: dict[str, TaskModel] = {}
    again = {entry.task_id for entry in store.log() if entry.derived_from is not None}
    for message in stream.messages:
        if message["task_id"] in again:
            continue
        models.setdefault(message["task_id"], TaskModel()).receive(message, parsed)
    return models


def verify_rectangles(store: Store, models: dict[str, TaskModel], tally: Tally) -> None:
    """Compare the rectangles of every task at every one of its versions."""
    changes: dict[str, dict[int, list[tuple[int, tuple[object, ...]]]]] = {}
    for task, version, sign, *rectangle in store.fetch(_CHANGES):
        changes.setdefault(task, {}).setdefault(version, []).append((sign, tuple(rectangle)))
    for task, owned in models.items():
        sums: Counter[tuple[object, ...]] = Counter()
        for own, version in enumerate(owned.versions, 1):
            for sign, rectangle in changes.get(task, {}).get(version, ()):
                sums[rectangle] += sign
            assert set(sums.values()) <= {0, 1}, f"{task} at version {version}: sums other than 0 and 1"
            found = {rectangle for rectangle, total in sums.items() if total}
            expected = {(*edge[1:], first, last) for edge, first, last in owned.model.rectangles(own)}
            tally.compare("versions: rectangles of the task", f"{task} at version {version}", expected, found)


def verify_points(store: Store, stream: Stream, models: dict[str, TaskModel], points: int, seed: int,
                  tally: Tally) -> None:  # fmt: skip
    """Compare tasks and edges of all tasks at points drawn at random."""
    draw = random.Random(seed)
    for _ in range(points):
        version = draw.randint(1, len(stream.messages))
        near = stream.messages[max(0, min(len(stream.messages) - 1, version - 1 + draw.randint(-200, 20)))]
        valid_at = near["occurred_at"] + draw.choice((-1, 0, 1))
        view = store.as_of(valid_at, version=version)
        tasks, edges = set(), set()
        for task, owned in models.items():
            known = owned.known(version)
            in_force = owned.model.tasks_in_force(valid_at, known)
            tasks |= {(task, owned.versions[own - 1]) for own in in_force.values()}
            edges |= owned.model.state(valid_at, known)
        where = f"as of {valid_at} at version {version}"
        found = {(task.task_id, task.version) for task in view.tasks() if task.task_id in models}
        tally.compare("points: tasks in force", where, tasks, found)
        shown = {(e.task_id, *e[1:6]) for e in view.edges() if e.task_id in models}
        tally.compare("points: edges of all tasks without a star", where, edges, shown)
