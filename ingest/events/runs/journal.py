"""The journal: every event that was taken in, forced to disk before it is acknowledged, until its run is decided.

A SQLite file beside the log (``<store>/events/journal.sqlite``). It holds a set: an event that comes twice, or late, is
in it once, so decisions do not depend on the order of delivery. Several processes may use one journal.
"""

from __future__ import annotations

import re
import sqlite3
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from ingest.events.openlineage.reading import Event
from ingest.events.runs import redaction
from ingest.events.runs.run_decision import ENDS
from ingest.events.runs.streaming import is_streaming
from ingest.events.runs.tables import FORMAT, TABLES, UPGRADES
from lineage_tt.model.errors import CorruptError, InvalidRequestError, UnavailableError
from lineage_tt.model.messages import RejectedMessage, SourcePosition
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.storage import durable, failpoints

FOLDER: Final = "events"
NAME: Final = "journal.sqlite"
#: The row of ``positions`` that counts how often runs were forgotten: when it changes, the numbers that a process
#: remembers are invalid.
FORGOTTEN: Final = ""
_UUID: Final = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
#: Shapes and runs whose numbers are remembered.
MAX_KNOWN: Final = 100_000


class Taken(NamedTuple):
    """The outcome of one event: whether it was new, or its refusal."""

    new: bool
    refused: RejectedMessage | None = None


class Journal:
    """One store's journal. Raises UnavailableError where the disk refuses, CorruptError where the file is damaged."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        #: How much of texts is kept: the store's policy, as this process last read it.
        self.policy = TextPolicy.KEEP
        self._shapes: OrderedDict[bytes, tuple[int, bool]] = OrderedDict()
        self._runs: OrderedDict[tuple[str, str, str], int] = OrderedDict()
        with _failures(self.path):
            durable.make_folder(folder)
            self.db = sqlite3.connect(self.path, isolation_level=None, timeout=60, check_same_thread=False)
            try:
                self._prepare(folder)
                self._forgotten = self._times_forgotten()
            except BaseException:
                self.db.close()
                raise

    def _prepare(self, folder: Path) -> None:
        """Check the format; create or upgrade the tables."""
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = FULL")
        self.db.execute("PRAGMA cache_size = -65536")
        version = self.db.execute("PRAGMA user_version").fetchone()[0]
        if version > FORMAT or version < 0:
            raise InvalidRequestError(
                f"{self.path} has format {version}, this release reads {FORMAT}",
                hint="run the release that wrote it, or move the file away and send the events again",
            )
        if version < FORMAT:
            self._upgrade()
            durable.sync(folder)

    def _upgrade(self) -> None:
        """Create the tables, or upgrade those of an older format; all or nothing, one process at a time."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            version = self.db.execute("PRAGMA user_version").fetchone()[0]
            steps = [UPGRADES[each] for each in range(version, FORMAT)] if version else [TABLES]
            for statement in ";".join(steps).split(";"):
                if statement.strip():
                    self.db.execute(statement)
            self.db.execute(f"PRAGMA user_version = {FORMAT}")
            self.db.execute("COMMIT")
        except BaseException:
            self._undo()
            raise

    def _undo(self) -> None:
        """Roll back the open transaction; there is none where an interrupt came after the commit."""
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")

    def _times_forgotten(self) -> int:
        row = self.db.execute("SELECT position FROM positions WHERE source = ?", (FORGOTTEN,)).fetchone()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Close the file; what was committed stays."""
        self.db.close()

    @contextmanager
    def transaction(self, *, forced: bool = True) -> Iterator[sqlite3.Connection]:
        """All or nothing, and on disk when it ends; others wait.

        A power cut may undo a transaction that is not ``forced``, as a whole and with all that follow it: this is for
        what can be derived again from what is on disk. ``force`` puts it on disk.
        """
        with _failures(self.path):
            self.db.execute(f"PRAGMA synchronous = {'FULL' if forced else 'NORMAL'}")
            self.db.execute("BEGIN IMMEDIATE")
            try:
                if (forgotten := self._times_forgotten()) != self._forgotten:  # other rows may have the numbers by now
                    self._forgotten = forgotten
                    self._shapes.clear()
                    self._runs.clear()
                yield self.db
                self.db.execute("COMMIT")
            except BaseException:
                self._undo()
                self._shapes.clear()
                self._runs.clear()
                raise

    def force(self) -> None:
        """Force the transactions of all processes to disk."""
        log = self.path.with_name(f"{NAME}-wal")
        with _failures(self.path):
            if log.exists():  # else a checkpoint has put everything into the file, and forced that
                durable.sync(log)

    def __contains__(self, shape: object) -> bool:
        """Return whether a shape was taken in before."""
        if shape in self._shapes:
            return True
        with _failures(self.path):
            row = self.db.execute("SELECT id, streaming FROM shapes WHERE digest = ?", (shape,)).fetchone()
        if row is not None and isinstance(shape, bytes):
            _remember(self._shapes, shape, (int(row[0]), bool(row[1])))
        return row is not None

    def take(
        self, events: Sequence[Event | RejectedMessage], place: SourcePosition | None = None, *, now: int
    ) -> list[Taken]:
        """Take events in and force them to disk; return the outcome of each. ``place`` is how far the source was read.

        What is refused goes to the log with the next messages, as a dead letter. ``now`` is UTC microseconds.
        """
        with self.transaction() as db:
            taken = [self._take(db, event, now) for event in events]
            if place is not None:
                db.execute("INSERT OR REPLACE INTO positions VALUES (?, ?, ?)", place)
            failpoints.reach("e1:before")
        failpoints.reach("e1:after")
        return taken

    def _take(self, db: sqlite3.Connection, event: Event | RejectedMessage, now: int) -> Taken:
        if isinstance(event, RejectedMessage):
            packed = redaction.redacted_message(pack_refused(event), self.policy)
            db.execute("INSERT INTO outbox (message) VALUES (?)", (packed,))
            return Taken(True, event)
        shape, streaming = self._shape(db, event)
        run = self._run(db, event, now)
        if streaming:
            db.execute("UPDATE runs SET streaming = 1 WHERE id = ? AND NOT streaming", (run,))
        figures = orjson.dumps(event.figures, option=orjson.OPT_SORT_KEYS).decode() if event.figures else ""
        new = db.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET figures = excluded.figures "
            "WHERE figures < excluded.figures",
            (run, event.at, event.type, shape, event.nominal, figures),
        ).rowcount
        if event.began is not None:  # an implied event at the run's start: no event of its own states that time
            began = run, event.began, "START", shape, event.nominal, ""
            db.execute("INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?)", began)
        if new:
            ends = event.kind != "run" or event.type in ENDS
            # what comes after the end of a run, or before it, may change what was decided
            db.execute("UPDATE runs SET dirty = 1 WHERE id = ? AND (? OR streaming OR state IS NOT NULL)", (run, ends))
            if others := parts_of(db, event.namespace, event.name, event.run_id):
                db.executemany("UPDATE runs SET dirty = 1 WHERE id = ?", [(each,) for each in (run, *others)])
        return Taken(bool(new))

    def _shape(self, db: sqlite3.Connection, event: Event) -> tuple[int, bool]:
        result = self._shapes.get(event.shape)
        if result is None:
            row = db.execute("SELECT id, streaming FROM shapes WHERE digest = ?", (event.shape,)).fetchone()
            if row is None and event.body is None:  # known when it was read, and forgotten by another process since
                raise UnavailableError("the journal of events was cleaned meanwhile", hint="send the events again")
            if row is None:
                streaming = is_streaming(event.body or b"")
                body = redaction.redacted_body(event.body, self.policy)
                extras = redaction.redacted_extras(event.extras, self.policy)
                row = db.execute(
                    "INSERT INTO shapes (digest, streaming, body, extras) VALUES (?, ?, ?, ?) RETURNING id, streaming",
                    (event.shape, streaming, body, extras),
                ).fetchone()
            result = int(row[0]), bool(row[1])
            _remember(self._shapes, event.shape, result)
        return result

    def _run(self, db: sqlite3.Connection, event: Event, now: int) -> int:
        run_id = event.run_id if event.kind == "run" else f"{event.kind}@{event.at}@{event.shape.hex()}"
        key = event.namespace, event.name, run_id
        run = self._runs.get(key)
        if run is None:
            db.execute(
                "INSERT OR IGNORE INTO runs (kind, namespace, name, run_id, seen) VALUES (?, ?, ?, ?, ?)",
                (event.kind, *key, now),
            )
            row = db.execute("SELECT id FROM runs WHERE namespace = ? AND name = ? AND run_id = ?", key).fetchone()
            run = row[0]
            _remember(self._runs, key, run)
        return int(run)

    def renumber(self, db: sqlite3.Connection) -> None:
        """Note that numbers of shapes and runs were released, so that caches of them are dropped."""
        db.execute(
            "INSERT INTO positions VALUES (?, 1, '') ON CONFLICT DO UPDATE SET position = position + 1", (FORGOTTEN,)
        )
        self._forgotten = self._times_forgotten()
        self._shapes.clear()
        self._runs.clear()

    def source_position(self, source: str) -> SourcePosition | None:
        """Return how far a source has been read, None where it never was."""
        with _failures(self.path):
            row = self.db.execute("SELECT * FROM positions WHERE source = ?", (source,)).fetchone()
        return SourcePosition(*row) if row else None

    def read(self, query: str, known: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with _failures(self.path):
            return self.db.execute(query, known).fetchall()

    def written(self, days: Sequence[tuple[int, int]]) -> None:
        """Forget that days are to be written, except those on which something became known since (another stamp)."""
        with self.transaction() as db:
            db.executemany("DELETE FROM days WHERE day = ? AND stamp = ?", days)

    def outbox(self, most: int) -> list[tuple[int, bytes]]:
        """Return the first messages that are not in the log yet, with their numbers."""
        with _failures(self.path):
            return self.db.execute("SELECT id, message FROM outbox ORDER BY id LIMIT ?", (most,)).fetchall()

    def drop_decided(self) -> None:
        """Drop the texts of decided runs, where the policy is to drop texts."""
        if self.policy is TextPolicy.DROP:
            with self.transaction(forced=False) as db:
                redaction.drop_decided(db)

    def delivered(self, last: int) -> None:
        """Forget the messages up to this number: they are in the log."""
        with self.transaction() as db:
            db.execute("DELETE FROM outbox WHERE id <= ?", (last,))


def parts_of(db: sqlite3.Connection, namespace: str, name: str, run_id: str) -> list[int]:
    """Return the numbers of what came of the same run under other names of its job.

    Only a UUID is the same run: other ids may be those of several jobs.
    """
    if not _UUID.fullmatch(run_id):
        return []
    query = "SELECT id FROM runs WHERE run_id = ? AND namespace = ? AND name <> ? AND kind = 'run' AND NOT streaming"
    return [row[0] for row in db.execute(query, (run_id, namespace, name))]


def pack_refused(refused: RejectedMessage) -> bytes:
    """Return a refusal as bytes, for the outbox; its own bytes are kept as Latin-1, which can hold any byte."""
    fields: dict[str, Any] = {"raw": refused.raw.decode("latin-1"), "code": refused.code, "detail": refused.detail}
    return orjson.dumps({"refused": fields, "position": refused.position})


def _remember(known: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    known[key] = value
    if len(known) > MAX_KNOWN:
        known.popitem(last=False)


@contextmanager
def _failures(path: Path) -> Iterator[None]:
    """Translate SQLite's errors into those that a caller understands."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise UnavailableError(
            f"the journal of events {path} cannot be used: {error}", hint="check the disk and its rights, then retry"
        ) from error
    except sqlite3.DatabaseError as error:
        raise CorruptError(
            f"the journal of events {path} is damaged: {error}",
            hint="move the file away and send the events again: what is in the log counts once",
        ) from error
