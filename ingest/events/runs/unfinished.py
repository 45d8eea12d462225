"""Runs that never ended are forgotten: an engine that died sends no COMPLETE, and what it began would stay for ever.

The rule: a run that has not ended is forgotten once its first event came in longer ago than the mapping's
``unfinished`` (30 days by default), and its last event is dated longer ago than that. So neither a run that still
reports nor an old history that is just being read is cut. An end that comes later still counts: it is decided by the
events that come with it.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from ingest.events.runs.journal import Journal
from lineage_tt.model.names import clipped

#: Runs that are forgotten per transaction.
CHUNK: Final = 1000
#: Runs to forget, found by the index of open runs: in the order of ids the query would look at every run ever seen.
OVERDUE: Final = """
    SELECT id FROM runs INDEXED BY open_runs WHERE state IS NULL AND NOT dirty AND seen < :before
        AND NOT EXISTS (SELECT 1 FROM events WHERE run = runs.id AND at >= :before)
    ORDER BY seen, id LIMIT :count
"""
#: The code of runs that have not ended.
NOT_ENDED: Final = "not-ended"
_OPEN: Final = "FROM runs INDEXED BY open_runs WHERE state IS NULL AND NOT dirty AND kind = 'run'"
#: How many runs have not ended.
COUNT: Final = f"SELECT count(*) {_OPEN}"
_FIRST: Final = f"SELECT namespace, name {_OPEN} ORDER BY seen, id LIMIT 1"
_UNSEEN: Final = "SELECT 1 FROM runs WHERE state IS NULL AND seen IS NULL LIMIT 1"


def forget(journal: Journal, now: int, after: int) -> int:
    """Forget the runs that have not ended and sent nothing for the time ``after``; return how many there were.

    ``now`` is UTC microseconds, ``after`` a length of time in microseconds. What only these runs stated goes with them.
    """
    if journal.read(_UNSEEN):  # from a journal that did not yet note when runs came in
        with journal.transaction(forced=False) as db:
            db.execute("UPDATE runs SET seen = ? WHERE state IS NULL AND seen IS NULL", (now,))
    count, before = 0, now - after
    while journal.read(OVERDUE, {"before": before, "count": 1}):
        with journal.transaction(forced=False) as db:
            runs = db.execute(OVERDUE, {"before": before, "count": CHUNK}).fetchall()
            shapes = {row for (run,) in runs for row in db.execute("SELECT shape FROM events WHERE run = ?", (run,))}
            db.executemany("DELETE FROM events WHERE run = ?", runs)
            db.executemany("DELETE FROM runs WHERE id = ?", runs)
            _drop_unused(db, shapes)
            journal.renumber(db)
        count += len(runs)
    return count


def waiting(journal: Journal) -> dict[str, tuple[int, str]]:
    """Return how many runs have begun and not ended, with words about one, by their code; nothing where there is none.

    They say nothing yet: an engine that died, or a producer that reports no ends, is not seen otherwise.
    """
    count = journal.read(COUNT)[0][0]
    first = "/".join(journal.read(_FIRST)[0]) if count else ""
    return {NOT_ENDED: (count, f"a run of {clipped(first)} has not ended: it counts when it ends")} if count else {}


def _drop_unused(db: sqlite3.Connection, shapes: set[tuple[int]]) -> None:
    """Drop the shapes that no other run has."""
    used = set(db.execute("SELECT DISTINCT shape FROM events")) if shapes else set()
    db.executemany("DELETE FROM shapes WHERE id = ?", shapes - used)
