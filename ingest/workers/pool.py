"""SQL texts to extractions in worker processes that may hang, crash or run out of memory: each costs its own text only.

``concurrent.futures`` cannot do this: a process pool there is broken as a whole once a worker dies, and it has no way
to end the one that hangs. Most of this module is what it lacks: who has which job, kill, restart, retry.
"""

from __future__ import annotations

import selectors
import signal
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from ingest.sql.jobs import ExtractionJob
from ingest.workers.cache import ExtractionCache, Key, unpack
from ingest.workers.failures import LOGGER, cause_of, opaque, why_not_started
from ingest.workers.process import WorkerProcess
from ingest.workers.protocol import CRASH, DONE, READY, UNUSABLE, Setup
from ingest.workers.serving import run_here
from ingest.workers.slots import MAX_IN_FLIGHT, Slot, Ticket
from ingest.workers.waiting import WaitingJobs

if TYPE_CHECKING:
    from ingest.sql import Extraction
    from ingest.sql.text.limits import Limits

MAX_TRIES: Final = 3
#: A text that ran out of CPU time or memory is tried again alone in a fresh worker, with this multiple of the CPU time.
SECOND_TRY: Final = 2.0
#: Texts that failed twice are remembered, so that the same text, sent again, costs nothing.
MAX_HOPELESS: Final = 10_000
#: A busy worker that did nothing in this many checks in a row is replaced.
_IDLE_LOOKS: Final = 3
_OUT_OF_MEMORY: Final = "MemoryError"


class ExtractionPool:
    """A pool of worker processes; a context manager. The first job starts one; a long queue or wait starts more.

    ``workers`` = 0 runs the jobs in this process, where nothing can be killed. ``time_limit`` is in seconds of CPU time
    for a job (and as many for each MiB of its text), ``memory_limit`` in bytes of address space a worker. ``function``
    is given as ``module:name``; it takes a job (and ``limits`` if they are given) and returns an Extraction. No method
    raises for what a job does: such a job has an opaque extraction with problem ``timeout``, ``crash`` (it raised) or
    ``worker-died`` (three times).

    A job that exceeds a limit is tried once more when no other waits: alone in a fresh worker, with twice the CPU time.
    What fails then, too, is opaque, and not tried again by this pool.
    """

    def __init__(
        self,
        workers: int = 2,
        *,
        time_limit: float = 5.0,
        memory_limit: int | None = 2 << 30,
        limits: Limits | None = None,
        function: str = "ingest.workers.work:run_job",
        cache: ExtractionCache | None = None,
    ) -> None:
        arguments = () if limits is None else (limits,)
        self._setup = Setup(function, arguments, time_limit, memory_limit)
        self._slots: list[Slot] = [Slot() for _ in range(workers)]
        self._queue = WaitingJobs()
        self._suspects: deque[Ticket] = deque()
        self._hopeless: dict[Key, Extraction] = {}
        self._failed_starts = 0
        self._lock = threading.RLock()
        self._selector = selectors.DefaultSelector()
        self._close = weakref.finalize(self, _end, self._slots, self._selector)
        self.cache = ExtractionCache() if cache is None else cache

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._close()

    @property
    def pids(self) -> list[int]:
        """The process ids of the workers that run now."""
        return [worker.pid for _, worker in self._started]

    @property
    def _started(self) -> list[tuple[Slot, WorkerProcess]]:
        """The slots that have a worker, each with it."""
        return [(slot, slot.worker) for slot in self._slots if slot.worker is not None]

    def map(self, jobs: Sequence[ExtractionJob]) -> list[Extraction]:
        """Return the extraction of each job, in order; long texts are begun first."""
        return list(self.imap(jobs, max(1, len(jobs))))

    def imap(self, jobs: Iterable[ExtractionJob], window: int = 256) -> Iterator[Extraction]:
        """Yield the extraction of each job in order, at most ``window`` jobs ahead of the one that is awaited."""
        waiting: deque[Ticket] = deque()
        try:
            for job in jobs:
                while len(waiting) >= window:
                    yield self._wait(waiting.popleft())
                waiting.append(self._submit(job))
            while waiting:
                yield self._wait(waiting.popleft())
        finally:
            with self._lock:
                dropped = set(map(id, waiting))
                self._queue.forget(dropped)
                self._suspects = deque(ticket for ticket in self._suspects if id(ticket) not in dropped)

    def _submit(self, job: ExtractionJob) -> Ticket:
        with self._lock:
            ticket = Ticket(job, self.cache.key(job))
            ticket.result = self._hopeless.get(ticket.key) or self.cache.get(ticket.key, job)
            if ticket.result is None and self._slots:
                self._queue.add(ticket)
                if any(slot.has_room for slot in self._slots):
                    self._fill()
            return ticket

    def _wait(self, ticket: Ticket) -> Extraction:
        with self._lock:
            if ticket.result is None and not self._slots:
                self._settle(ticket, *run_here(self._setup, ticket.job))
            while ticket.result is None:
                self._advance()
            return ticket.result

    def _advance(self) -> None:
        """Hand out jobs, then wait for something to happen and handle it."""
        self._fill()
        due = [slot.due(self._setup.time_limit) for slot, _ in self._started]
        if len(due) < len(self._slots):
            due.append(self._queue.patient_until)
        wait = max(0.0, min(due) - time.monotonic()) if due else 0.0
        events = self._selector.select(wait)
        for key, mask in events:
            slot: Slot = key.data
            if mask & selectors.EVENT_WRITE and slot.worker is not None:
                self._flush(slot)
            elif mask & selectors.EVENT_READ and slot.worker is not None:
                self._hear(slot)
        if not events:
            for slot, worker in self._started:
                is_due = slot.due(self._setup.time_limit) <= time.monotonic()
                # one that does not answer and does nothing either, or that does not start
                if is_due and worker.is_stalled(_IDLE_LOOKS if worker.ready else 1):
                    self._bury(slot, stalled=True)

    def _fill(self) -> None:
        if not self._queue and self._suspects and not any(slot.tickets for slot in self._slots):
            self._try_alone(self._slots[0], self._suspects.popleft())
        self._start_earned()
        started = self._started
        # One job each before anybody gets a second one, and none while it may yet go to a worker that is not started.
        most = MAX_IN_FLIGHT if len(started) == len(self._slots) else 1
        for depth in range(1, most + 1):
            for slot, worker in started:
                if self._queue and len(slot.tickets) < depth and slot.has_room:
                    self._hand_out(slot, worker)
        self._queue.note(all(slot.is_busy for slot, _ in started), time.monotonic())
        for slot, worker in started:
            if worker.has_outgoing and not slot.writing:
                self._flush(slot)

    def _try_alone(self, slot: Slot, ticket: Ticket) -> None:
        """Give a job that exceeded a limit to a fresh worker, and nothing else to it until it has answered."""
        if slot.worker is not None:
            self._bury(slot)
        self._start(slot)
        assert slot.worker is not None
        slot.tickets.append(ticket)
        slot.worker.send((ticket.job, SECOND_TRY))

    def _start_earned(self) -> None:
        """Start the workers that the waiting jobs are worth."""
        has_waited = self._queue.patient_until <= time.monotonic()
        for slot in self._slots:
            if slot.worker is None and (has_waited or self._queue.earns_worker(len(self._started))):
                self._start(slot)
                has_waited = False

    def start(self, workers: int) -> None:
        """Start this many workers, or all where there are fewer, before the first job comes."""
        with self._lock:
            for slot in self._slots[:workers]:
                if slot.worker is None:
                    self._start(slot)

    def _start(self, slot: Slot) -> None:
        slot.worker = WorkerProcess(self._setup)
        self._selector.register(slot.worker.stdout, selectors.EVENT_READ, slot)
        self._flush(slot)

    def _hand_out(self, slot: Slot, worker: WorkerProcess) -> None:
        ticket = self._queue.take()
        if not slot.tickets:
            worker.heard()
        slot.tickets.append(ticket)
        worker.send((ticket.job, SECOND_TRY if ticket.exceeded else 1.0))

    def _flush(self, slot: Slot) -> None:
        worker = slot.worker
        assert worker is not None
        worker.flush()
        if worker.has_outgoing != slot.writing:
            slot.writing = worker.has_outgoing
            if slot.writing:
                self._selector.register(worker.stdin, selectors.EVENT_WRITE, slot)
            else:
                self._selector.unregister(worker.stdin)

    def _hear(self, slot: Slot) -> None:
        assert slot.worker is not None
        replies, ended = slot.worker.receive()
        for kind, content in replies:
            slot.worker.heard()
            if kind == READY:
                slot.worker.ready = True
            elif kind == UNUSABLE:
                slot.complaint = content
            else:
                self._failed_starts = 0
                self._settle(slot.tickets.popleft(), kind, content)
        if ended:
            self._bury(slot)

    def _settle(self, ticket: Ticket, kind: str, content: Any) -> None:
        if kind == DONE:
            ticket.result = unpack(content)
            self.cache.put(ticket.key, ticket.result.lookups, content)
        elif kind == CRASH and str(content).startswith(_OUT_OF_MEMORY) and self._slots:
            self._exceeded(ticket, opaque(kind, content))
        else:
            ticket.result = opaque(kind, content)

    def _exceeded(self, ticket: Ticket, answer: Extraction) -> None:
        """Note that a job exceeded a limit: after the first time it waits for a try alone, the second time is final."""
        if ticket.exceeded is None:
            ticket.exceeded = answer
            self._suspects.append(ticket)
            return
        ticket.result = answer
        if ticket.key[0]:  # else a comparison, which is made once
            self._hopeless[ticket.key] = answer
        if len(self._hopeless) > MAX_HOPELESS:
            del self._hopeless[next(iter(self._hopeless))]

    def _bury(self, slot: Slot, *, stalled: bool = False) -> None:
        """Handle a worker that has ended or is stalled: its present job is to blame, the others are queued again."""
        worker = slot.worker
        assert worker is not None
        self._selector.unregister(worker.stdout)
        if slot.writing:
            self._selector.unregister(worker.stdin)
        status, tickets, complaint = worker.kill(), list(slot.tickets), slot.complaint
        slot.clear()
        reason = "" if worker.ready else complaint or why_not_started(status, stalled=stalled)
        if worker.ready and tickets:
            self._blame(tickets.pop(0), status, stalled)
        elif not worker.ready:
            LOGGER.warning("a worker process did not start: %s", reason)
            self._failed_starts += 1
            for ticket in [ticket for ticket in tickets if ticket.exceeded is not None]:
                tickets.remove(ticket)
                self._suspects.appendleft(ticket)
        for ticket in tickets:
            self._queue.add(ticket)
        if self._failed_starts >= MAX_TRIES:
            for ticket in (*self._suspects, *self._queue.take_all()):
                ticket.result = opaque("worker-died", reason)
            self._suspects.clear()
            self._failed_starts = 0

    def _blame(self, ticket: Ticket, status: int, stalled: bool) -> None:
        if stalled or status == -signal.SIGPROF:
            self._exceeded(ticket, opaque("timeout", self._overrun(ticket, stalled)))
            return
        ticket.tries += 1
        if ticket.tries >= MAX_TRIES:
            ticket.result = opaque("worker-died", f"{ticket.tries} workers died of it: {cause_of(status)}")
        else:
            self._queue.add(ticket)

    def _overrun(self, ticket: Ticket, stalled: bool) -> str:
        """Say in which way a job exceeded its time."""
        if stalled:
            return f"did nothing, and nothing alone either; its limit is {self._setup.time_limit:g} s of CPU time"
        seconds = self._setup.seconds(len(ticket.job.sql))
        return f"more than {seconds:.3g} s of CPU time, and more than {seconds * SECOND_TRY:.3g} s alone"


def _end(slots: list[Slot], selector: selectors.BaseSelector) -> None:
    for slot in slots:
        if slot.worker is not None:
            slot.worker.kill()
            slot.clear()
    selector.close()
