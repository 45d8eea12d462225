"""Where a timeline of points differs from what the log was given, messages bring the log in line: the second half.

For each subject there are two step functions of valid time: what its points say (``_Last``, ``_Union``), and what was
*placed*, by messages in the log or in the outbox. Wherever a point was added, removed or changed, the two are compared,
and each difference becomes one message that takes effect there. So the result does not depend on the order in which
points came, and a point that repeats what is in force makes no message. Where a late point says what a later message
says, that message is retracted: of neighbours that say the same, the first one stays.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import orjson

from ingest.events.runs import contents
from ingest.events.runs.journal import Journal
from ingest.events.runs.meaning import DECLARED, RUN
from lineage_tt.model.messages import Problem
from lineage_tt.model.times import LAST
from lineage_tt.storage import failpoints

#: Subjects per transaction.
CHUNK: Final = 500
#: The problem of a run while which another one of the job was under way that says something else.
PARALLEL: Final = Problem(
    "parallel-runs",
    "another run of this job was under way and says something else, which is not in force: the later run counts alone; "
    'edges = "union" in [openlineage] of the mapping file joins them',
)
#: Characters of a run's id that event ids keep.
_MAX_RUN_ID: Final = 200


class Reported(NamedTuple):
    """What a subject's points say as of a time, and the run that says it."""

    fingerprint: bytes
    run: int


class Outgoing(NamedTuple):
    """A message on its way to the log; one that ``retracts`` an event says nothing else."""

    at: int
    member: str
    event: str
    fingerprint: bytes | None
    run: int
    retracts: str | None = None


class Placing:
    """Makes messages of the differences between what is reported and what was placed."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def settle(self) -> int:
        """Put all messages that are due into the outbox, in order of valid time; return how many there are."""
        count = 0
        while self._journal.read("SELECT 1 FROM affected LIMIT 1"):
            count += self._chunk()
        return count

    def _chunk(self) -> int:
        with self._journal.transaction(forced=False) as db:
            rows = db.execute(
                "SELECT subject, min(at) FROM affected GROUP BY subject ORDER BY 2, 1 LIMIT ?", (CHUNK,)
            ).fetchall()
            outgoing: list[Outgoing] = []
            for subject, _ in rows:
                times = [at for (at,) in db.execute("SELECT at FROM affected WHERE subject = ? ORDER BY 1", (subject,))]
                outgoing += self._placed(db, subject, times)
                db.execute("DELETE FROM affected WHERE subject = ?", (subject,))
            outgoing.sort(key=lambda each: (each.at, each.member))
            db.executemany("INSERT INTO outbox (message) VALUES (?)", [(_packed(db, each),) for each in outgoing])
            failpoints.reach("e2:before")
        failpoints.reach("e2:after")
        return len(outgoing)

    def _placed(self, db: sqlite3.Connection, subject: str, times: Iterable[int]) -> list[Outgoing]:
        rule = db.execute("SELECT rule, unseen_runs, unseen_time FROM rules WHERE subject = ?", (subject,)).fetchone()
        adds_up = rule is not None and rule[0] == "union" and contents.is_task(subject)  # facets do not add up
        timeline = _Union(db, subject, rule[1], rule[2]) if adds_up else _Last(db, subject)
        outgoing: list[Outgoing] = []
        due = sorted({each for at in times for each in timeline.touched(at)})
        if contents.is_task(subject):
            for at in due:
                now = timeline.at(at)
                outgoing += self._place(db, subject, subject, at, now.fingerprint if now else None, now)
            return outgoing
        for at in due:
            now = timeline.at(at)
            members = contents.members_of(_content(db, now.fingerprint)) if now else {}
            known = {row[0] for row in db.execute("SELECT DISTINCT member FROM placed WHERE subject = ?", (subject,))}
            for member in sorted(known | members.keys()):
                outgoing += self._place(db, subject, member, at, members.get(member), now)
        return outgoing

    def _place(
        self,
        db: sqlite3.Connection,
        subject: str,
        member: str,
        at: int,
        fingerprint: bytes | None,
        reported: Reported | None,
    ) -> list[Outgoing]:
        """Return the messages that bring ``fingerprint`` into force at a time, none where it is in force."""
        before = db.execute(
            "SELECT fingerprint FROM placed WHERE member = ? AND at < ? ORDER BY at DESC LIMIT 1", (member, at)
        ).fetchone()
        here = db.execute(
            "SELECT fingerprint, event, events FROM placed WHERE member = ? AND at = ?", (member, at)
        ).fetchone()
        run = reported.run if reported else 0
        meaning = contents.meaning(fingerprint)
        if contents.meaning(before[0] if before else None) == meaning and (here is None or here[2] is not None):
            return _withdrawn(db, member, at, run, orjson.loads(here[2])) if here else []
        if here is not None and contents.is_same(here[0], fingerprint):
            return []
        counted = db.execute("SELECT times FROM withdrawn WHERE member = ? AND at = ?", (member, at)).fetchone()
        again = f"{counted[0]}\0" if counted else ""
        last = here[1] if here else ""
        event = _event(db, run, f"{member}\0{at}\0{last}\0{again}".encode() + (meaning or b""))
        events = None if here and here[2] is None else orjson.dumps([*orjson.loads(here[2] if here else b"[]"), event])
        db.execute(
            "INSERT OR REPLACE INTO placed VALUES (?, ?, ?, ?, ?, ?)", (member, at, subject, fingerprint, event, events)
        )
        return [Outgoing(at, member, event, fingerprint, run)]


def _withdrawn(db: sqlite3.Connection, member: str, at: int, run: int, events: Sequence[str]) -> list[Outgoing]:
    """Return the messages that retract what was placed at a time: the earliest first, or it would count again."""
    db.execute("DELETE FROM placed WHERE member = ? AND at = ?", (member, at))
    db.execute("INSERT INTO withdrawn VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET times = times + 1", (member, at))
    return [Outgoing(at, member, _event(db, run, f"retract\0{each}".encode()), None, run, each) for each in events]


#: A subject's lineage up to a time, the latest first: every point, or only the last one of each content and weight.
_LATEST: Final = f"""
    SELECT at, fingerprint, weight, run FROM points WHERE subject = ? AND at <= ? AND weight >= {RUN}
    ORDER BY at DESC, tie DESC
"""
_EVER: Final = f"""
    SELECT at, fingerprint, weight, run FROM (
        SELECT at, tie, fingerprint, weight, run, row_number() OVER (
            PARTITION BY substr(fingerprint, 1, {contents.DIGEST}), weight ORDER BY at DESC, tie DESC) AS turn
        FROM points WHERE subject = ? AND at <= ? AND weight >= {RUN})
    WHERE turn = 1 ORDER BY at DESC, tie DESC
"""


#: Whether two runs were under way at the same time. What a job's owner declares is no run; and where runs count from
#: their nominal times, those of several intervals do not replace each other, whenever they ran.
_AT_ONCE: Final = """
    SELECT 1 FROM runs AS a, runs AS b
    WHERE a.id = :last AND b.id = :before AND a.kind = 'run' AND b.kind = 'run'
        AND a.state = 'complete' AND b.state = 'complete' AND NOT a.streaming AND NOT b.streaming
        AND a.began < b.ended AND b.began < a.ended
        AND (:last_at = :before_at OR (:last_at IN (a.began, a.ended) AND :before_at IN (b.began, b.ended)))
"""


class _Last:
    """Only the last run with lineage counts; before the first such run, the last run that knows only facts."""

    def __init__(self, db: sqlite3.Connection, subject: str) -> None:
        self._db = db
        self._subject = subject

    def at(self, at: int) -> Reported | None:
        """Return what is reported at a time, None for nothing."""
        rows = self._db.execute(
            "SELECT fingerprint, run, at FROM points WHERE subject = ? AND at <= ? AND weight >= ? "
            "ORDER BY at DESC, tie DESC LIMIT 2",
            (self._subject, at, RUN),
        ).fetchall() or self._db.execute(
            "SELECT fingerprint, run, at FROM points WHERE subject = ? AND at <= ? ORDER BY at DESC, tie DESC LIMIT 1",
            (self._subject, at),
        ).fetchall()  # fmt: skip
        reports = [Reported(*row[:2]) for row in rows]
        if len(reports) > 1 and contents.is_task(self._subject):
            return self._beside(reports[0], reports[1], [row[2] for row in rows])
        return reports[0] if reports else None

    def _beside(self, last: Reported, before: Reported, times: Sequence[int]) -> Reported:
        """Return the last report, which says so if the one before it was under way and has edges that it lacks.

        So it is where a job runs several times at once, each for tables of its own, as Airflow's mapped tasks do.
        """
        if contents.meaning(last.fingerprint) == contents.meaning(before.fingerprint):
            return last
        known = {"last": last.run, "before": before.run, "last_at": times[0], "before_at": times[1]}
        if not self._db.execute(_AT_ONCE, known).fetchone():
            return last
        content = _content(self._db, last.fingerprint)
        if contents.edges_of(_content(self._db, before.fingerprint)) <= contents.edges_of(content):
            return last
        fingerprint, packed = contents.with_problem(content, PARALLEL)
        self._db.execute("INSERT OR IGNORE INTO contents VALUES (?, ?)", (fingerprint, packed))
        return last._replace(fingerprint=fingerprint)

    def touched(self, at: int) -> set[int]:
        """Return the times at which the report may differ now that a point at ``at`` came, went or changed."""
        after = "SELECT min(at) FROM points WHERE subject = ? AND at > ? AND weight >= ?"
        end = self._db.execute(after, (self._subject, at, RUN)).fetchone()[0]
        following = self._db.execute(after, (self._subject, at, 0)).fetchone()[0]
        between = self._db.execute(
            "SELECT DISTINCT at FROM placed WHERE subject = ? AND at > ? AND at < ?",
            (self._subject, at, LAST if end is None else end),
        )
        return {at, *(each for each in (end, following) if each is not None), *(each for (each,) in between)}


class _Union:
    """The union of what runs report: an item ends once enough runs, for long enough, lack it; declarations reset it."""

    def __init__(self, db: sqlite3.Connection, subject: str, runs: int | None, time: int | None) -> None:
        self._db = db
        self._subject = subject
        self._runs = runs
        self._time = time

    def at(self, at: int) -> Reported | None:
        """Return what is reported at a time, None for nothing; the union is a content of its own."""
        distinct: dict[bytes | None, bytes] = {}
        first: tuple[int, int] | None = None
        rows = self._db.execute(_EVER if self._runs is None and self._time is None else _LATEST, (self._subject, at))
        for count, (when, fingerprint, weight, run) in enumerate(rows):
            first = first or (when, run)
            if not self._counts(count, first[0] - when):
                break
            distinct.setdefault(contents.meaning(fingerprint), fingerprint)
            if weight == DECLARED:
                break
        if first is None:
            return _Last(self._db, self._subject).at(at)
        if len(distinct) == 1:
            return Reported(next(iter(distinct.values())), first[1])
        fingerprint, packed = contents.union([_content(self._db, each) for each in distinct.values()])
        self._db.execute("INSERT OR IGNORE INTO contents VALUES (?, ?)", (fingerprint, packed))
        return Reported(fingerprint, first[1])

    def _counts(self, count: int, age: int) -> bool:
        if self._runs is None and self._time is None:
            return True
        return (self._runs is not None and count < self._runs) or (self._time is not None and age <= self._time)

    def touched(self, at: int) -> set[int]:
        """Return the times at which the report may differ now that a point at ``at`` came, went or changed."""
        rows = self._db.execute(
            "SELECT at FROM points WHERE subject = ? AND at > ? ORDER BY at, tie", (self._subject, at)
        )
        times, end = {at}, LAST
        for count, (when,) in enumerate(rows):
            times.add(when)
            if not self._counts(count, when - at):
                end = when
                break
        between = self._db.execute(
            "SELECT DISTINCT at FROM placed WHERE subject = ? AND at > ? AND at < ?", (self._subject, at, end)
        )
        return times | {each for (each,) in between}


def _content(db: sqlite3.Connection, fingerprint: bytes) -> bytes:
    result: bytes = db.execute("SELECT packed FROM contents WHERE fingerprint = ?", (fingerprint,)).fetchone()[0]
    return result


def _event(db: sqlite3.Connection, run: int, content: bytes) -> str:
    """Return the event id of what a run leads to: equal for equal histories."""
    return f"{_run_id(db, run)}/{hashlib.blake2b(content, digest_size=6).hexdigest()}"


def _run_id(db: sqlite3.Connection, run: int) -> str:
    row = db.execute("SELECT run_id FROM runs WHERE id = ?", (run,)).fetchone()
    return str(row[0])[:_MAX_RUN_ID] if row else "none"


def _packed(db: sqlite3.Connection, each: Outgoing) -> bytes:
    """Return a message as bytes that suffice to build it again: what is in the outbox is final."""
    origin: dict[str, Any] = {}
    run = db.execute("SELECT run_id, kind, ended, meaning FROM runs WHERE id = ?", (each.run,)).fetchone()
    if run is not None:
        about = db.execute("SELECT about FROM meanings WHERE key = ?", (run[3],)).fetchone()
        origin = {"run": run[0], "kind": run[1], "ended": run[2], "about": about[0].decode() if about else "{}"}
    content = _content(db, each.fingerprint).decode() if each.fingerprint is not None else None
    document = {"member": each.member, "at": each.at, "event": each.event, "content": content, "origin": origin}
    if each.retracts is not None:
        document["retracts"] = each.retracts
    return orjson.dumps(document)
