"""The jobs that no worker has yet, the longest text first, and whether they are worth the start of another worker."""

from __future__ import annotations

import heapq
from collections.abc import Collection
from typing import Final

from ingest.workers.slots import Ticket

#: A worker takes as much processor time to start as reading this many characters.
WORTH_A_START: Final = 1 << 17
#: What a job costs however short its text is, in characters.
_EACH: Final = 500
#: Where jobs have waited this long (seconds) for workers that are all busy, another starts, however few they are.
PATIENCE: Final = 0.25


def workers_worth(jobs: int, characters: int) -> int:
    """Return how many workers to start for this many jobs and characters of text: one, unless there is much to do."""
    return min(jobs, 1 + (characters + _EACH * jobs) // WORTH_A_START)


class WaitingJobs:
    """A queue of tickets by the length of their texts."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Ticket]] = []
        self._count = 0
        self._characters = 0
        self._since: float | None = None

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, ticket: Ticket) -> None:
        """Take a ticket in."""
        self._count += 1
        self._characters += len(ticket.job.sql)
        heapq.heappush(self._heap, (-len(ticket.job.sql), self._count, ticket))

    def take(self) -> Ticket:
        """Return the ticket with the longest text, the first of them that came; IndexError where none waits."""
        ticket = heapq.heappop(self._heap)[2]
        self._characters -= len(ticket.job.sql)
        return ticket

    def forget(self, dropped: Collection[int]) -> None:
        """Leave out the tickets with these ids (of ``id``)."""
        remaining = [entry for entry in self._heap if id(entry[2]) not in dropped]
        if len(remaining) < len(self._heap):
            self._heap = remaining
            self._characters = sum(len(ticket.job.sql) for _, _, ticket in remaining)
            heapq.heapify(self._heap)
        if not self._heap:
            self._since = None

    def take_all(self) -> list[Ticket]:
        """Return every ticket, and keep none."""
        tickets = [ticket for _, _, ticket in self._heap]
        self._heap.clear()
        self._characters, self._since = 0, None
        return tickets

    def earns_worker(self, started: int) -> bool:
        """Return whether the jobs are worth starting another worker beside those already started."""
        return workers_worth(len(self._heap), self._characters) > started

    def note(self, all_busy: bool, now: float) -> None:
        """Note at ``now`` (monotonic seconds) whether jobs wait because every worker is busy."""
        if not (all_busy and self._heap):
            self._since = None
        elif self._since is None:
            self._since = now

    @property
    def patient_until(self) -> float:
        """When (monotonic seconds) a further worker starts even for a few jobs; infinity where none waits for long."""
        return float("inf") if self._since is None else self._since + PATIENCE
