"""What a writer has seen others write about: which histories it had better read before a message needs them.

The first message about a subject of which another writer wrote must have its history read from the log. That takes many
times as long as the append; so the history of what all write about is read while it is short. Of a subject that came
after this writer opened the log, only the files from then on are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from lineage_tt.model.messages import Subject

#: A subject is read ahead if this many sightings of others' commits include it, more than half as many as any other.
OFTEN: Final = 2
#: The most subjects that are read ahead, and the most sightings that are remembered before counting restarts.
MAX_READ_AHEAD: Final = 64
MAX_SIGHTINGS: Final = 65_536


class Sightings:
    """How often others wrote about each subject that is not in memory, and since when there are messages about it."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._times: dict[Subject, int] = {}
        self._since: dict[Subject, int] = {}
        self._often: dict[Subject, None] = {}
        self._most = 0
        self._left = MAX_READ_AHEAD

    def note(self, subject: Subject, after: int, *, is_new: bool) -> None:
        """Note that versions after one are about a subject; ``is_new`` where no version up to it is."""
        if len(self._times) >= MAX_SIGHTINGS:
            self._begin()
        times = self._times[subject] = self._times.get(subject, 0) + 1
        self._most = max(self._most, times)
        if is_new:
            self._since[subject] = after
        if times >= OFTEN:
            self._often[subject] = None

    def since(self, subjects: Iterable[Subject]) -> int:
        """Return a version up to which there is none about any of these subjects."""
        return min((self._since.get(subject, 0) for subject in subjects), default=0)

    def take_often(self, is_unread: Callable[[Subject], bool]) -> list[Subject]:
        """Return the subjects that are worth to be read ahead now, each once."""
        often = [each for each in self._often if self._times[each] * 2 > self._most and is_unread(each)][: self._left]
        self._often.clear()
        self._left -= len(often)
        return often
