"""The place of one worker in the pool, and the jobs that it was given."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ingest.sql.jobs import ExtractionJob
from ingest.workers.cache import Key
from ingest.workers.process import WorkerProcess

if TYPE_CHECKING:
    from ingest.sql import Extraction

# Requests on their way to one worker: enough to hide the pipe, few enough that none waits long for a slow one.
MAX_IN_FLIGHT: Final = 4
_ALONE_FROM: Final = 1 << 16
# A busy worker that does not answer is checked this many seconds after it would have reached its limit at full speed,
# and then repeatedly.
_GRACE: Final = 1.0
_START_LIMIT: Final = 60.0


@dataclass(slots=True, eq=False)
class Ticket:
    """A job under way: how often its worker died, how it ran out of its limits, and its result once there is one."""

    job: ExtractionJob
    key: Key
    tries: int = 0
    exceeded: Extraction | None = None
    result: Extraction | None = None


class Slot:
    """The place of one worker: the process, and the jobs it was given, the one at work first."""

    def __init__(self) -> None:
        self.worker: WorkerProcess | None = None
        self.tickets: deque[Ticket] = deque()
        self.writing = False
        self.complaint = ""

    @property
    def has_room(self) -> bool:
        """Whether it may be given another job: a long text, or one on its second try, runs alone."""
        alone = any(len(t.job.sql) >= _ALONE_FROM or t.exceeded is not None for t in self.tickets)
        return len(self.tickets) < MAX_IN_FLIGHT and not alone

    @property
    def is_busy(self) -> bool:
        """Whether its worker has started and has a job."""
        return self.worker is not None and self.worker.ready and bool(self.tickets)

    def due(self, time_limit: float) -> float:
        """When (monotonic seconds) to look whether the worker does anything, or has started."""
        assert self.worker is not None
        if not self.worker.ready:
            return self.worker.since + _START_LIMIT
        return self.worker.since + time_limit + _GRACE if self.tickets else float("inf")

    def clear(self) -> None:
        """Forget the worker and its jobs."""
        self.worker, self.writing, self.complaint = None, False, ""
        self.tickets.clear()
