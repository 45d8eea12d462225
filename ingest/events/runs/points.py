"""What each run says becomes points on the timelines of its subjects: the first half of a decision.

Only runs about which something new is known are processed. The SQL of a chunk of runs is read together.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import orjson

from ingest.events.openlineage.merging import EventPoint, JobName, Picture, merged
from ingest.events.openlineage.spec.models import Kind
from ingest.events.policy import Policies, Policy
from ingest.events.runs import redaction
from ingest.events.runs.journal import Journal, pack_refused, parts_of
from ingest.events.runs.meaning import RUN, Claim, Combination, Meaning, key_of, meanings
from ingest.events.runs.run_decision import (
    Decision,
    Entry,
    decided,
    decided_streaming,
    last_shapes,
    redundant,
    whole_of,
)
from ingest.resolve.resolver import SqlResolver
from lineage_tt.write.admission import catch_all

#: Runs that are decided per transaction.
CHUNK: Final = 500
#: Meanings and shapes that are kept in memory.
MAX_CACHED: Final = 20_000
DAY: Final = 86_400_000_000
_EVENTS: Final = """
    SELECT e.at, e.type, s.digest, e.nominal, e.figures FROM events AS e JOIN shapes AS s ON s.id = e.shape
    WHERE e.run = ?
"""
_HIDDEN: Final = f"""
    INSERT OR IGNORE INTO affected SELECT subject, at FROM points WHERE subject = ? AND at > ? AND weight < {RUN}
"""
_FORGET: Final = """
    DELETE FROM events WHERE run = ? AND at = ? AND type = ? AND shape = (SELECT id FROM shapes WHERE digest = ?)
"""


class Run(NamedTuple):
    """A run of which something new is known."""

    id: int
    kind: Kind
    job: JobName
    run_id: str
    streaming: bool


class Points:
    """Decides runs and notes which timelines that may change."""

    def __init__(self, journal: Journal, policies: Policies, resolver: SqlResolver) -> None:
        self._journal = journal
        self._policies = policies
        self._resolver = resolver
        self._meanings: dict[bytes, Meaning] = {}
        self._bodies: dict[bytes, dict[str, Any]] = {}

    def settle(self) -> int:
        """Decide all runs of which something new is known; return how many there were."""
        count = 0
        while self._journal.read("SELECT 1 FROM runs WHERE dirty LIMIT 1"):  # a transaction forces the disk
            count += self._chunk()
        return count

    def _chunk(self) -> int:
        with self._journal.transaction(forced=False) as db:
            runs = [
                Run(run, kind, JobName(namespace, name), run_id, bool(streaming))
                for run, kind, namespace, name, run_id, streaming in db.execute(
                    "SELECT id, kind, namespace, name, run_id, streaming FROM runs WHERE dirty LIMIT ?", (CHUNK,)
                )
            ]
            decisions = [self._decision(db, run) for run in runs]
            combinations = {
                key_of(_combination(run, (), entry), entry.shapes, self._policies): (run, entry)
                for run, (decision, _) in zip(runs, decisions, strict=True)
                for entry in decision.entries
            }
            self._learn(db, combinations)
            for run, (decision, figures) in zip(runs, decisions, strict=True):
                self._place(db, run, decision, figures)
        for key in combinations:
            if not self._meanings[key].is_final:  # the next run that says the same is read again
                del self._meanings[key]
        return len(runs)

    def _decision(self, db: sqlite3.Connection, run: Run) -> tuple[Decision, tuple[int | None, int | None]]:
        rows = _rows(db, run)
        events = [EventPoint(at, type_, shape) for at, type_, shape, _, _ in rows]
        if run.kind != "run":
            at = events[0].at
            return Decision("declared", at, at, [Entry(at, (events[0].shape,))]), (None, None)
        policy = self._policy(db, run, events)
        if run.streaming:
            forgotten = [(run.id, each.at, each.type, each.shape) for each in redundant(events)]
            db.executemany(_FORGET, forgotten)
            return decided_streaming(events, policy), (None, None)
        nominal = min((row[3] for row in rows if row[3] is not None), default=None)
        figures = [(event.place, row[4]) for event, row in zip(events, rows, strict=True) if row[4]]
        return decided(events, policy, nominal), _figures(figures)

    def _policy(self, db: sqlite3.Connection, run: Run, events: Sequence[EventPoint]) -> Policy:
        if not self._policies.varied:
            return self._policies.default
        return self._policies.of(self._picture(db, run, events))

    def _picture(self, db: sqlite3.Connection, run: Run, events: Sequence[EventPoint]) -> Picture:
        ordered = sorted(events, key=lambda each: each.place)
        return merged(run.job, [self._body(db, shape) for shape in last_shapes(ordered)])

    def _learn(self, db: sqlite3.Connection, combinations: dict[bytes, tuple[Run, Entry]]) -> None:
        """Convert the combinations of shapes that are not known yet."""
        if len(self._meanings) > MAX_CACHED:
            self._meanings.clear()
        new: list[tuple[bytes, Combination]] = []
        for key, (run, entry) in combinations.items():
            if key in self._meanings:
                continue
            known = db.execute("SELECT task, claims FROM meanings WHERE key = ? AND final", (key,)).fetchone()
            if known is not None:
                claims = [Claim(subject, bytes.fromhex(fp), weight) for subject, fp, weight in orjson.loads(known[1])]
                self._meanings[key] = Meaning(known[0], claims)
            else:
                new.append((key, _combination(run, [self._body(db, shape) for shape in entry.shapes], entry)))
        for key, meaning in zip([key for key, _ in new], self._convert(db, [each for _, each in new]), strict=True):
            self._meanings[key] = meaning
            claims_ = orjson.dumps([[subject, fp.hex(), weight] for subject, fp, weight in meaning.claims]).decode()
            policy = self._journal.policy
            about = redaction.redacted_about(meaning.about, policy)
            known_ = key, meaning.task_id, claims_, about, meaning.is_final
            db.execute("INSERT OR REPLACE INTO meanings VALUES (?, ?, ?, ?, ?)", known_)
            packed_contents = [
                (fp, redaction.redacted_content(packed, policy)) for fp, packed in meaning.contents.items()
            ]
            db.executemany("INSERT OR IGNORE INTO contents VALUES (?, ?)", packed_contents)
            for subject, _, _ in meaning.claims:
                db.execute("INSERT OR REPLACE INTO rules VALUES (?, ?, ?, ?)", (subject, meaning.rule, *meaning.unseen))

    def _convert(self, db: sqlite3.Connection, combinations: Sequence[Combination]) -> list[Meaning]:
        """Return what each claims; one over which the code fails claims nothing, and goes to the dead letters."""
        if not combinations:
            return []
        try:
            return meanings(combinations, self._policies, self._resolver)
        except Exception as error:
            if not catch_all.is_bug(error):
                raise
            if len(combinations) > 1:
                return [meaning for each in combinations for meaning in self._convert(db, [each])]
            raw = orjson.dumps(list(combinations[0].bodies))
            letter = catch_all.refusal_of(raw, error, None)
            packed = redaction.redacted_message(pack_refused(letter), self._journal.policy)
            db.execute("INSERT INTO outbox (message) VALUES (?)", (packed,))
            return [Meaning(None)]

    def _body(self, db: sqlite3.Connection, shape: bytes) -> dict[str, Any]:
        result = self._bodies.get(shape)
        if result is None:
            if len(self._bodies) > MAX_CACHED // 10:
                self._bodies.clear()
            row = db.execute("SELECT body FROM shapes WHERE digest = ?", (shape,)).fetchone()
            result = self._bodies[shape] = orjson.loads(row[0])
        return result

    def _place(
        self, db: sqlite3.Connection, run: Run, decision: Decision, figures: tuple[int | None, int | None]
    ) -> None:
        """Put a run's claims on the timelines in place of its earlier ones; note what that touches."""
        tie = f"{decision.ended + _OFFSET:020d}{run.job.name}\0{run.run_id}"
        points: dict[tuple[str, int], tuple[bytes, int]] = {}
        task, last = None, None
        for entry in decision.entries:
            last = key_of(_combination(run, (), entry), entry.shapes, self._policies)
            meaning = self._meanings[last]
            task = meaning.task_id
            for subject, fingerprint, weight in meaning.claims:
                points[subject, entry.at] = fingerprint, weight
        before = {
            (subject, at): (fingerprint, weight, old)
            for subject, at, fingerprint, weight, old in db.execute(
                "SELECT subject, at, fingerprint, weight, tie FROM points WHERE run = ?", (run.id,)
            )
        }
        for (subject, at), (fingerprint, weight, old) in before.items():
            if points.get((subject, at)) != (fingerprint, weight) or old != tie:
                db.execute("DELETE FROM points WHERE subject = ? AND at = ? AND tie = ?", (subject, at, old))
                db.execute("INSERT OR IGNORE INTO affected VALUES (?, ?)", (subject, at))
                if weight >= RUN:  # what it hid may count again
                    db.execute(_HIDDEN, (subject, at))
        for (subject, at), (fingerprint, weight) in points.items():
            if before.get((subject, at)) != (fingerprint, weight, tie):
                known = subject, at, tie, run.id, fingerprint, weight
                db.execute("INSERT OR REPLACE INTO points VALUES (?, ?, ?, ?, ?, ?)", known)
                db.execute("INSERT OR IGNORE INTO affected VALUES (?, ?)", (subject, at))
        self._note(db, run, decision, task, last, figures)

    def _note(
        self, db: sqlite3.Connection, run: Run, decision: Decision, task: str | None, meaning: bytes | None,
        figures: tuple[int | None, int | None],
    ) -> None:  # fmt: skip
        """Note what a run was, for the observations, and that nothing new is known of it any more."""
        counted = run.kind == "run" and decision.state in ("complete", "failed")
        if task is None and counted:
            events = [EventPoint(*row[:3]) for row in _rows(db, run)]
            picture = self._picture(db, run, events)
            task = self._policies.of(picture).task_of(picture)
        lasting = decision.entries if decision.state != "failed" else ()
        at = lasting[0].at if lasting else decision.began
        was = db.execute("SELECT at FROM runs WHERE id = ?", (run.id,)).fetchone()[0]
        known = task, decision.state, at, decision.began, decision.ended, *figures, meaning, run.id
        db.execute(
            "UPDATE runs SET dirty = 0, task = ?, state = ?, at = ?, began = ?, ended = ?, row_count = ?, "
            "byte_count = ?, meaning = ? WHERE id = ?",
            known,
        )
        days = {(each // DAY,) for each in (was, at if counted else None) if each is not None}
        db.executemany("INSERT INTO days (day) VALUES (?) ON CONFLICT DO UPDATE SET stamp = stamp + 1", days)


#: Added to times in a key, so that times before 1970 also sort first as text.
_OFFSET: Final = 10**17


def _rows(db: sqlite3.Connection, run: Run) -> list[tuple[Any, ...]]:
    """Return the events of a run, also those that came under another name of its job."""
    rows: list[tuple[Any, ...]] = db.execute(_EVENTS, (run.id,)).fetchall()
    others = parts_of(db, *run.job, run.run_id) if run.kind == "run" and not run.streaming else []
    if not others:
        return rows
    parts = {run.id: rows, **{each: db.execute(_EVENTS, (each,)).fetchall() for each in others}}
    whole = whole_of({number: [EventPoint(*row[:3]) for row in part] for number, part in parts.items()})
    return [row for part in parts.values() for row in part] if whole == run.id else rows


def _combination(run: Run, bodies: Sequence[dict[str, Any]], entry: Entry) -> Combination:
    return Combination("failed" if entry.failed else run.kind, run.job, bodies)


def _figures(stated: Sequence[tuple[Any, str]]) -> tuple[int | None, int | None]:
    """Return the rows and bytes that a run wrote: of each output the last that was stated."""
    last: dict[str, list[int | None]] = {}
    for _, figures in sorted(stated):
        last |= orjson.loads(figures)
    rows, size = ([n for each in last.values() if (n := each[which]) is not None] for which in (0, 1))
    return (sum(rows) if rows else None), (sum(size) if size else None)
