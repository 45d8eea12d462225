"""The search index of names: columns, datasets, tasks, owners, labels, descriptions.

A full-text index of SQLite over trigrams selects candidates: names that contain a part or the words of a search, or
differ by a typo. Scores depend on the words alone, so two services at one version return the same list.
"""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from lineage_tt.api.reads.frozen_log import FrozenLog
from lineage_tt.api.reads.reading import Reading
from lineage_tt.api.reads.similarity import (
    _RUN,
    ENDLESS,
    LEAST,
    LEAST_NEAR,
    Hit,
    Row,
    _parts,
    fold,
    grams,
    hits_of,
    words_of,
)
from lineage_tt.api.reads.tail import Tail

#: Maximum number of candidates for each kind of search.
MAX_CANDIDATES: Final = 300
#: Runs of letters in more names than this are not searched; only the beginnings of names are.
MAX_COMMON: Final = 50_000
#: The memory of the index, in KiB.
CACHE_KIB: Final = 65_536
#: Rows in a batch; between batches, other threads can run.
_PORTION: Final = 2_000
_SETUP: Final = """
CREATE TABLE names (
    name TEXT, kind TEXT, subject TEXT, folded TEXT, size INTEGER, held INTEGER, since INTEGER, until INTEGER,
    PRIMARY KEY (kind, name, subject, since, until)
);
CREATE VIRTUAL TABLE found USING fts5 (folded, content='names', content_rowid='rowid', tokenize='trigram');
CREATE VIRTUAL TABLE counted USING fts5vocab (found, row);
CREATE VIRTUAL TABLE parts USING fts5 (
    words, content='', detail='none', prefix='1 2', tokenize='unicode61 remove_diacritics 0'
);
CREATE VIRTUAL TABLE counted_parts USING fts5vocab (parts, row);
"""
#: Created after the first names are inserted, for all of them together, which is faster than name by name.
_INDEXES: Final = """
CREATE INDEX by_folded ON names (folded);
INSERT INTO found (found) VALUES ('rebuild');
INSERT INTO parts (rowid, words)
    SELECT rowid, CASE WHEN folded GLOB '*[^ -~]*' THEN words_of(folded) ELSE folded END FROM names;
CREATE TRIGGER added AFTER INSERT ON names BEGIN
    INSERT INTO found (rowid, folded) VALUES (new.rowid, new.folded);
    INSERT INTO parts (rowid, words) VALUES (new.rowid, words_of(new.folded));
END;
"""
#: Used in place of a version: these names replace all others.
_WHOLE: Final = -2
_PUT: Final = "INSERT INTO names VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
#: ``held`` counts the rectangles with the name, as the value of a fact; nodes and tasks are always held.
_TAKE: Final = f"""{_PUT} ON CONFLICT (kind, name, subject, since, until) DO UPDATE
SET held = CASE WHEN kind IN ('column', 'dataset', 'task') THEN 1 ELSE held + excluded.held END"""
#: Every name, as a Name: nodes that an edge or a fact ever had, tasks, and owners, labels and descriptions that were
#: stated and not withdrawn.
_ALL: Final = """
SELECT name, kind, subject, held, since, until FROM (
    SELECT node AS name, CASE WHEN contains(node, '#') THEN 'column' ELSE 'dataset' END AS kind, node AS subject,
        1 AS held, NULL::BIGINT AS since, NULL::BIGINT AS until FROM nodes
    UNION ALL
    SELECT DISTINCT task_id, 'task', task_id, 1, NULL, NULL FROM log WHERE status = 'accepted' AND task_id IS NOT NULL
        AND version > $after
    UNION ALL
    SELECT "value", "key", node, sum(sign)::BIGINT, epoch_us(valid_from), epoch_us(valid_to) FROM fact_changes
    WHERE "key" IN ('owner', 'label', 'description') AND version > $after
    GROUP BY "value", "key", node, valid_from, valid_to HAVING sum(sign) <> 0
) ORDER BY kind, name, subject, since, until"""


class Name(NamedTuple):
    """A name: the text, its kind, and the node or task that it names or describes.

    ``held`` is how many more rectangles have it than before. An owner, a label or a description is valid from ``since``
    to ``until`` (UTC microseconds, None: without end); a node and a task have neither.
    """

    name: str
    kind: str
    subject: str
    held: int = 1
    since: int | None = None
    until: int | None = None


class LeftOut(NamedTuple):
    """Which names a search did not compare: more that contain it, more that resemble it, and those of common letters.

    Where each run of letters of a search is in more than ``MAX_COMMON`` names, only beginnings of names are compared.
    """

    matches: bool = False
    similar: bool = False
    common: bool = False


class Names:
    """The index; the tail of the log keeps it up to date."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # SQLite keeps a database without a name in memory up to its cache's size, and the rest in a temporary file.
        self._database = sqlite3.connect("", check_same_thread=False, isolation_level=None)
        weakref.finalize(self, self._database.close)
        self._database.create_function("words_of", 1, words_of, deterministic=True)
        self._database.executescript(f"PRAGMA cache_size = -{CACHE_KIB}; PRAGMA journal_mode = OFF; {_SETUP}")
        self._version = -1  # nothing has been read yet
        self._waiting: list[tuple[int, int, list[Name]]] = []
        self._filling = self._closed = False

    def close(self) -> None:
        """Close the index; a thread that is filling it stops soon."""
        with self._lock:
            self._closed = True
            if self._filling:
                self._database.interrupt()
            else:
                self._database.close()

    @property
    def version(self) -> int:
        """The version up to which the index is complete; -1 before it is filled."""
        return self._version

    def count(self) -> int:
        """Return the number of names in the index, 0 while it is being filled."""
        if self._version < 0:
            return 0
        with self._lock:
            result: int = self._database.execute("SELECT count(*) FROM names WHERE held > 0").fetchone()[0]
        return result

    def fill(self, reading: Reading) -> None:
        """Read all names up to a version in batches, then the names that arrived meanwhile.

        No other thread uses the database before ``version`` is set, and no thread waits for it.
        """
        with self._lock:
            self._filling = not self._closed
        try:
            if self._filling:
                self._read_all(reading)
        finally:
            reading.close()
            with self._lock:
                self._filling = False
                if self._closed:
                    self._database.close()

    def _read_all(self, reading: Reading) -> None:
        self._database.execute("BEGIN")
        for portion in reading.portions(_ALL, _PORTION, after=0):
            self._database.executemany(_PUT, map(_row, map(Name._make, portion)))
            if self._closed:
                return
        self._database.execute("COMMIT")
        try:
            self._database.executescript(_INDEXES)
        except sqlite3.OperationalError:
            if not self._closed:
                raise
            return
        with self._lock:
            self._version = reading.version
            for after, version, names in self._waiting:
                if after <= self._version < version or after == _WHOLE:
                    (self._replace if after == _WHOLE else self._take)(names)
                    self._version = version
            self._waiting.clear()

    def advance(self, tail: Tail) -> None:
        """Add the names of new versions."""
        names = [Name._make(row) for row in tail.fetch(_ALL, after=tail.after)]
        with self._lock:
            if self._version < tail.after:
                self._waiting.append((tail.after, tail.version, names))
                return
            self._take(names)
            self._version = tail.version

    def read_again(self, log: FrozenLog) -> None:
        """Replace all names by those of the whole log, because descriptions were rewritten."""
        names = [Name._make(row) for row in Tail(log, 0, None).fetch(_ALL, after=0)]
        with self._lock:
            if self._version < 0:
                self._waiting = [(_WHOLE, log.version, names)]
            else:
                self._replace(names)
                self._version = log.version

    def _replace(self, names: Iterable[Name]) -> None:
        self._database.execute("DELETE FROM names")
        self._take(names)

    def _take(self, names: Iterable[Name]) -> None:
        self._database.execute("BEGIN")
        self._database.executemany(_TAKE, map(_row, names))
        self._database.execute("COMMIT")

    def near(self, node: str) -> tuple[str, ...]:
        """Return up to three nodes with similar names; none while the index is being filled."""
        if self._version < 0:
            return ()
        hits, _ = self.search(node, None, 10)
        return tuple(hit.name for hit in hits if hit.kind in ("column", "dataset") and hit.score > LEAST_NEAR)[:3]

    def search(self, text: str, kind: str | None, limit: int) -> tuple[list[Hit], int]:
        """Return the best matches and the version of the index; no matches, and -1, while it is being filled."""
        good, version, _ = self.all_hits(text, kind)
        return good[:limit], version

    def all_hits(self, text: str, kind: str | None) -> tuple[list[Hit], int, LeftOut]:
        """Return all matches, the best first, the version, and which names were not compared."""
        if self._version < 0:
            return [], -1, LeftOut()
        folded = fold(text.replace("\0", " ")).strip()
        with self._lock:
            rows, left_out = self._candidates(folded, kind)
            version = self._version
        good = [hit for hit in hits_of(folded, rows) if hit.score >= LEAST]
        good.sort(key=lambda hit: (-hit.score, len(hit.name), hit.name, hit.kind, hit.subject))
        return good, version, left_out

    def _candidates(self, folded: str, kind: str | None) -> tuple[set[Row], LeftOut]:
        """Return names that begin with the text or have its words, or share its rarest runs, and which others do."""
        only = " AND n.kind = :kind" if kind else ""
        select = "SELECT n.name, n.kind, n.subject, n.folded, n.since, n.until FROM names AS n"
        parameters: dict[str, Any] = {"kind": kind, "first": folded, "last": folded + "\U0010ffff"}
        within = f"n.folded >= :first AND n.folded < :last AND n.held > 0{only}"
        begins = f"{select} WHERE {within} ORDER BY n.folded, n.kind, n.subject"
        rows = self._database.execute(f"{begins} LIMIT {MAX_CANDIDATES + 1}", parameters).fetchall()
        candidates, more_match, more_similar = set(rows[:MAX_CANDIDATES]), len(rows) > MAX_CANDIDATES, False
        ways, common = self._ways(folded)
        for index, words, exact in ways:
            query = f"""{select} JOIN {index} ON {index}.rowid = n.rowid WHERE {index} MATCH :words AND n.held > 0{only}
                ORDER BY n.size, n.name, n.kind, n.subject, n.since LIMIT {MAX_CANDIDATES + 1}"""
            rows = self._database.execute(query, parameters | {"words": words}).fetchall()
            candidates.update(rows[:MAX_CANDIDATES])
            more_match |= exact and len(rows) > MAX_CANDIDATES
            more_similar |= not exact and len(rows) > MAX_CANDIDATES
        return candidates, LeftOut(more_match, more_similar, common)

    def _begin_so(self, word: str) -> int:
        """Return how many parts of names begin with a word; a name counts once for each such part."""
        query = "SELECT sum(doc) FROM counted_parts WHERE term >= ? AND term < ?"
        count: int | None = self._database.execute(query, (word, word + "\U0010ffff")).fetchone()[0]
        return count or 0

    def _ways(self, folded: str) -> tuple[list[tuple[str, str, bool]], bool]:
        """Return queries, and whether words were left out of them because too many names have their letters.

        A query is an index, words, and True for all words of three or more letters, or the beginnings of parts if there
        are only shorter ones; False for any of the rarest runs of three letters.
        """
        counts = {gram: self._count(gram) for gram in grams(folded)}
        words = [word for word in folded.split() if len(word) >= _RUN]
        common = min((counts.get(gram, 0) for word in words for gram in grams(word)[:37]), default=0) > MAX_COMMON
        ways = [("found", " AND ".join(map(_quoted, words)), True)] if words and not common else []
        rare = sorted((count, gram) for gram, count in counts.items() if 0 < count <= MAX_COMMON // 10)
        if rare:
            ways.append(("found", " OR ".join(_quoted(gram) for _, gram in rare[:8]), False))
        short = [word for text in folded.split() for word in _parts(text)]
        if short and max(map(len, short)) < _RUN:
            begins = [self._begin_so(word) <= MAX_COMMON for word in short]
            common = common or not all(begins)
            terms = (_quoted(word) + "*" * begin for word, begin in zip(short, begins, strict=True))
            ways.append(("parts", " AND ".join(terms), True))
        return ways, common

    def _count(self, gram: str) -> int:
        row = self._database.execute("SELECT doc FROM counted WHERE term = ?", (gram,)).fetchone()
        return row[0] if row else 0


def _row(name: Name) -> tuple[Any, ...]:
    until = ENDLESS if name.until is None else name.until
    return name.name, name.kind, name.subject, fold(name.name), len(name.name), name.held, name.since or 0, until


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
