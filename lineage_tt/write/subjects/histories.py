"""The histories of subjects that a writer keeps: in memory up to a bound, the others in a temporary file."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from lineage_tt.model.messages import Subject
from lineage_tt.write.subjects.items import PastMessage
from lineage_tt.write.subjects.spill import Spill
from lineage_tt.write.subjects.tasks import TaskHistory

#: Distinct edges and messages kept in memory, at about 400 bytes each; those that are fetched count.
MAX_IN_MEMORY: Final = 1_000_000


class Tasks:
    """The histories of the subjects seen; one that was not used yet is read from the log when a message needs it."""

    def __init__(self, load: Callable[[set[Subject]], Mapping[Subject, TaskHistory]]) -> None:
        self._known: set[Subject] = set()
        self._load = load
        self._histories: OrderedDict[Subject, TaskHistory] = OrderedDict()
        self._weight = 0
        self._spilled = Spill()

    def fetch(self, subjects: Iterable[Subject]) -> dict[Subject, TaskHistory]:
        """Return the histories of these tasks, empty ones for tasks never seen. They may be changed in place.

        Call ``keep`` with them once what they hold is committed, ``forget`` if it was not.
        """
        histories = {task: self._take(task) for task in dict.fromkeys(subjects)}
        missing = {task for task, history in histories.items() if history is None and task in self._known}
        loaded = self._load(missing) if missing else {}
        result = {
            task: history if history is not None else loaded.get(task) or TaskHistory()
            for task, history in histories.items()
        }
        self._shrink(MAX_IN_MEMORY - sum(history.weight for history in result.values()))
        return result

    def keep(self, histories: Mapping[Subject, TaskHistory]) -> None:
        """Keep histories that agree with the log; beyond the bound, the least recently used go to a temporary file."""
        for task, history in histories.items():
            self._known.add(task)
            self._histories[task] = history
            self._weight += history.weight
        self._shrink(MAX_IN_MEMORY)

    def forget(self, tasks: Iterable[Subject]) -> None:
        """Note that the histories kept for these tasks may no longer agree with the log."""
        for task in tasks:
            self._known.add(task)
            self._take(task)

    def knows(self, task: Subject) -> bool:
        """Return whether the history of this task is in memory."""
        return task in self._histories

    def is_known(self, task: Subject) -> bool:
        """Return whether the log is known to hold messages of this task."""
        return task in self._known

    def is_unread(self, task: Subject) -> bool:
        """Return whether the log holds messages of this task whose history is not kept here."""
        return task in self._known and task not in self._histories and task not in self._spilled

    def extend(self, task: Subject, messages: Sequence[PastMessage]) -> None:
        """Add newer messages from the log to a history that is in memory."""
        history = self._histories[task]
        self._weight -= history.weight
        history.extend(messages)
        self._weight += history.weight

    def _shrink(self, bound: int) -> None:
        """Move the least recently used histories to the temporary file until those in memory are within a bound."""
        while self._weight > bound and len(self._histories) > 1:
            task, dropped = self._histories.popitem(last=False)
            self._weight -= dropped.weight
            self._spilled.put(task, dropped.state())

    def _take(self, task: Subject) -> TaskHistory | None:
        history = self._histories.pop(task, None)
        if history is not None:
            self._weight -= history.weight
            return history
        state = self._spilled.take(task)
        return TaskHistory.of_state(state) if state else None
