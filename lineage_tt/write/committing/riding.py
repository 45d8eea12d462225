"""The writer whose turn it is commits small appends that wait, after its own rows and in the same commit.

A waiting writer offers its rows (``offers``). The committing writer takes the offers about subjects that nobody wrote
about since the rows were planned, gives the rows their numbers, times and checksums, and names the tickets in the
commit. The waiting writer finds its ticket there, and remembers its rows as if it had committed them itself. So the
rows of both are in the log, or neither are. If a writer dies in between, nothing has to be repaired: an offer that is
not in the log still has to be committed, and an offer that is in the log is not taken again, since its own rows are
about its subjects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from lineage_tt.log.commit_file import Span
from lineage_tt.log.log import Log
from lineage_tt.log.system_times import clock_times
from lineage_tt.model.format import LogRow
from lineage_tt.write.committing.offers import Offer, offer_bytes, offer_of
from lineage_tt.write.committing.rebase import Draft
from lineage_tt.write.committing.writer_state import Known
from lineage_tt.write.planning.log_queries import stamped
from lineage_tt.write.planning.plan import Plan

#: The most rows of others in one commit, so that turns stay short and commit files small.
MAX_CARRIED: Final = 64


class Rider:
    """An append that waits for its turn, or for another writer to commit it."""

    def __init__(self, known: Known, plan: Callable[[], Plan]) -> None:
        self._known = known
        self._plan = plan

    def offer(self, name: str) -> bytes | None:
        """Plan the append; return its offer, None where only its own writer can commit it. Raises as planning does."""
        self._known.look()
        plan = self._plan()
        self._known.draft = Draft(plan)
        data = offer_bytes(plan)
        self._known.offered = None if data is None else name
        return data

    def has_arrived(self) -> bool:
        """Check whether another writer committed it. Raises as ``Known.look`` does."""
        self._known.look()
        return self._known.arrived is not None


class Carried:
    """The rows of other writers that a commit adds after those of a plan; empty before ``take`` is called."""

    def __init__(self, log: Log, known: Known, plan: Plan) -> None:
        self._log, self._known, self._plan = log, known, plan
        self.rows: list[LogRow] = []
        self.spans: dict[str, Span] = {}

    def take(self) -> Sequence[LogRow]:
        """Take the offers that still hold; return their rows, numbered, stamped and chained."""
        last = self._plan.rows[-1]
        for offer in self._offers():
            first = last.version + len(self.rows) + 1
            self.rows += [row._replace(version=first + place) for place, row in enumerate(offer.rows)]
            self.spans[offer.name] = (first, first + len(offer.rows) - 1)
        times = clock_times(len(self.rows), last.system_time, last.system_time)
        self.rows = stamped(self.rows, times, last.checksum)
        return self.rows

    def _offers(self) -> Iterator[Offer]:
        subjects, room = set(self._plan.histories), MAX_CARRIED
        for name, data in self._log.offers() if self._plan.order is None else ():
            offer = offer_of(name, data, self._log.texts)
            if offer is None or len(offer.rows) > room or not subjects.isdisjoint(offer.subjects):
                continue
            if self._known.is_untouched(offer.subjects, offer.version):
                subjects |= offer.subjects
                room -= len(offer.rows)
                yield offer
