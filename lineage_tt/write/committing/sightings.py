"""What a writer has seen others write about: which histories it should read before a message needs them.

Before the first message about a subject that another writer wrote about, the subject's history must be read from the
log. That takes many times as long as the append, so the histories of subjects that everyone writes about are read while
they are short. For a subject that first appeared after this writer opened the log, only the files since then are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from lineage_tt.model.messages import Subject

#: A subject is read ahead if it was seen this often in others' commits, and more than half as often as any other. With
#: 2, many were read about which only one other writer ever writes.
OFTEN: Final = 4
#: The most subjects that are read ahead, and the most sightings that are remembered before counting restarts.
MAX_READ_AHEAD: Final = 64
MAX_SIGHTINGS: Final = 65_536


class Sightings:
    """How often others wrote about each subject that is not in memory, and from which version on it has messages."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._times: dict[Subject, int] = {}
        self._since: dict[Subject, int] = {}
        self._often: dict[Subject, None] = {}
        self._most = 0
        self._left = MAX_READ_AHEAD

    def note(self, subject: Subject, after: int, *, is_new: bool) -> None:
        """Note that a version after ``after`` is about a subject; ``is_new`` if no version up to ``after`` is."""
        if len(self._times) >= MAX_SIGHTINGS:
            self._begin()
        times = self._times[subject] = self._times.get(subject, 0) + 1
        self._most = max(self._most, times)
        if is_new:
            self._since[subject] = after
        if times >= OFTEN:
            self._often[subject] = None

    def since(self, subjects: Iterable[Subject]) -> int:
        """Return a version such that no version up to it is about any of these subjects."""
        return min((self._since.get(subject, 0) for subject in subjects), default=0)

    def take_often(self, is_unread: Callable[[Subject], bool]) -> list[Subject]:
        """Return the subjects that are worth reading ahead now, each once."""
        often = [each for each in self._often if self._times[each] * 2 > self._most and is_unread(each)][: self._left]
        self._often.clear()
        self._left -= len(often)
        return often
