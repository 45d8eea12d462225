"""A fresh parse: each text extracted again, one after the other, under a naive catalog of the columns known by then.

Where the columns change that the text of a task in force was extracted with, it is extracted once more; naively:
after every message all such tasks are looked at, whatever the text names of these columns.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from ingest.sql import Extraction
from ingest.sql.jobs import ExtractionJob
from ingest.workers.work import run_job
from verify_lib.silence import is_silent, unaccounted
from verify_lib.stream import Raw

#: source, target, type, subtype, expression
EdgeValue = tuple[str, str, str, str, str]
Columns = tuple[str, ...]


@dataclass(slots=True)
class Parsed:
    """The edges of each message, and of each task over time; and how complete the extractor says they are."""

    edges: dict[int, frozenset[EdgeValue]] = field(default_factory=dict)
    coverage: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    silent: list[str] = field(default_factory=list)
    starred: set[str] = field(default_factory=set)
    _over_time: dict[str, list[tuple[int, frozenset[EdgeValue]]]] = field(default_factory=lambda: defaultdict(list))
    _again: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))

    def note(self, task: str, message: Raw, edges: frozenset[EdgeValue], *, again: bool) -> None:
        """Note what a task says from a message of the stream on: its own, or one that changed columns it reads."""
        self._over_time[task].append((message["through"] if again else message["version"], edges))
        if again:
            self._again[message["version"]].add(task)

    def as_of(self, task: str, version: int) -> frozenset[EdgeValue]:
        """Return what a task says at a version of the store."""
        said = self._over_time.get(task, [])
        place = bisect_right(said, version, key=lambda each: each[0])
        return said[place - 1][1] if place else frozenset()

    def again(self, messages: Iterable[Raw]) -> set[str]:
        """Return the tasks that say something else because of these messages, without one of their own."""
        return {task for message in messages for task in self._again.get(message["version"], ())}


class NaiveCatalog:
    """Which columns a dataset has at a valid time: a list of all that was ever said, gone through at each question."""

    def __init__(self) -> None:
        #: by dataset: when and by which message of which task it was stated, from when on, a turn, and the columns
        self._said: dict[str, list[tuple[int, str, str, int, int, Columns]]] = {}
        self._turn = 0

    def say(self, dataset: str, message: Raw, stated_at: int, effective_at: int, columns: Columns) -> None:
        """Add what a message says from ``effective_at`` on; the last stated counts, of one time by its task."""
        self._turn += 1
        said = (stated_at, message["task_id"], message["event_id"], effective_at, self._turn, columns)
        self._said.setdefault(dataset, []).append(said)

    def forget(self, message: Raw) -> None:
        """Remove what a message said: another one of its task takes effect at the same time."""
        for said in self._said.values():
            said[:] = [each for each in said if each[2] != message["event_id"]]

    def of(self, dataset: str, valid_at: int, beside: Raw | None = None) -> Columns | None:
        """Return a dataset's columns: of what was stated from up to ``valid_at``, the latest; not by ``beside``."""
        own = beside["event_id"] if beside else None
        before = [each for each in self._said.get(dataset, ()) if each[3] <= valid_at and each[2] != own]
        return max(before, key=lambda each: (each[0], each[1], each[3], each[4]))[5] if before else None

    def at(self, valid_at: int, beside: Raw | None = None) -> dict[str, Columns]:
        """Return the columns of every dataset."""
        found = {dataset: self.of(dataset, valid_at, beside) for dataset in self._said}
        return {dataset: columns for dataset, columns in found.items() if columns is not None}


@dataclass(slots=True)
class Reader:
    """A task in force whose text names datasets: its message, and the columns they had when it was extracted."""

    message: Raw
    columns: dict[str, Columns | None]


def parse_again(messages: Iterable[Raw], effective_at: str, params: dict[str, str], *, stars: bool) -> Parsed:
    """Extract every message's text in order; ``effective_at`` names the field that says from when it applies.

    ``stars`` says whether texts are extracted again whose datasets get other columns, which needs messages in order.
    """
    catalog, parsed = NaiveCatalog(), Parsed()
    readers: dict[str, Reader] = {}
    last: dict[str, Raw] = {}
    for message in messages:
        task, at = message["task_id"], message[effective_at]
        readers.pop(task, None)
        before, last[task] = last.get(task), message
        if stars and before is not None and before[effective_at] == at:
            catalog.forget(before)
        if message["op"] == "offline":
            parsed.edges[message["version"]] = frozenset()
            parsed.note(task, message, frozenset(), again=False)
            continue
        found = _extract(message, catalog.at(at), params)
        edges = parsed.edges[message["version"]] = _edges(found)
        parsed.note(task, message, edges, again=False)
        parsed.coverage[found.coverage] += 1
        parsed.problems.update({problem.code for problem in found.problems})
        parsed.silent += silences(message, found)
        _say(found, message, at, at, catalog)
        if found.lookups:
            parsed.starred.add(task)
            readers[task] = Reader(message, dict(found.lookups))
        if stars:
            _read_again(message, at, readers, catalog, parsed, params)
    return parsed


def silences(message: Raw, found: Extraction) -> list[str]:
    """Return what a message's text names and says nothing about, in words."""
    task = f"{message['task_id']} (version {message['version']})"
    if is_silent(message["sql"], found):
        return [f"{task}: neither an edge nor a reason"]
    return [f"{task}: nothing of {name}" for name in unaccounted(message["sql"], found)]


def _read_again(
    message: Raw, at: int, readers: dict[str, Reader], catalog: NaiveCatalog, parsed: Parsed, params: dict[str, str]
) -> None:
    """Extract again what reads other columns now, and what reads what that writes, until nothing changes."""
    while True:
        due = []
        for task in sorted(readers):
            own = readers[task].message
            now = {dataset: catalog.of(dataset, at, own) for dataset in readers[task].columns}
            if now != readers[task].columns:
                due.append((task, now, _extract(own, catalog.at(at, own), params)))
        if not due:
            return
        for task, now, found in due:
            readers[task].columns = now
            parsed.note(task, message, _edges(found), again=True)
            own = readers[task].message
            _say(found, own, own["stated_at"], at, catalog)


def _extract(message: Raw, columns: dict[str, Columns], params: dict[str, str]) -> Extraction:
    return run_job(
        ExtractionJob(
            sql=message["sql"],
            dialect="bigquery",
            namespace="bigquery",
            default_database=message["task_id"].split(".")[0],
            target=f"bigquery:{message['target']}",
            params=params,
            columns=columns,
        )
    )


def _edges(found: Extraction) -> frozenset[EdgeValue]:
    return frozenset((e.source, e.target, e.type, e.subtype, e.expression) for e in found.edges)


def _say(found: Extraction, message: Raw, stated_at: int, at: int, catalog: NaiveCatalog) -> None:
    message["stated_at"] = stated_at
    for dataset, columns in found.outputs:
        catalog.say(dataset, message, stated_at, at, tuple(columns))
