"""A fresh parse: each text extracted again, one after the other, under a naive catalog of the columns known by then.

Where the columns change that a star of a task in force reads, its text is extracted once more; naively: after every
message all such tasks are looked at.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from ingest.jobs import ExtractionJob
from ingest.sql import Extraction
from ingest.work import run_job
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
        self._said: dict[str, list[tuple[int, int, Columns]]] = {}
        self._turn = 0

    def say(self, dataset: str, effective_at: int, columns: Columns) -> None:
        """Add what a message says; of what is said of one time the last counts."""
        self._turn += 1
        self._said.setdefault(dataset, []).append((effective_at, self._turn, columns))

    def of(self, dataset: str, valid_at: int) -> Columns | None:
        """Return a dataset's columns: of what was said from up to ``valid_at``, the latest."""
        before = [entry for entry in self._said.get(dataset, ()) if entry[0] <= valid_at]
        return max(before)[2] if before else None

    def at(self, valid_at: int) -> dict[str, Columns]:
        """Return the columns of every dataset."""
        found = {dataset: self.of(dataset, valid_at) for dataset in self._said}
        return {dataset: columns for dataset, columns in found.items() if columns is not None}


@dataclass(slots=True)
class Reader:
    """A task in force whose star reads datasets: its message, and the columns they had when it was extracted."""

    message: Raw
    columns: dict[str, Columns | None]


def parse_again(messages: Iterable[Raw], effective_at: str, params: dict[str, str], *, stars: bool) -> Parsed:
    """Extract every message's text in order; ``effective_at`` names the field that says from when it applies.

    ``stars`` says whether texts whose star reads changed columns are extracted again, which needs messages in order.
    """
    catalog, parsed = NaiveCatalog(), Parsed()
    readers: dict[str, Reader] = {}
    for message in messages:
        task, at = message["task_id"], message[effective_at]
        readers.pop(task, None)
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
        _say(found, at, catalog)
        own = {dataset for dataset, _ in found.outputs}
        answers = {dataset: columns for dataset, columns in found.lookups if dataset in set(found.stars) - own}
        if answers:
            parsed.starred.add(task)
            readers[task] = Reader(message, answers)
        if stars:
            _read_again(message, at, readers, catalog, parsed, params)
    return parsed


def silences(message: Raw, found: Extraction) -> list[str]:
    """Return what a message's text names and says nothing of, in words."""
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
            now = {dataset: catalog.of(dataset, at) for dataset in readers[task].columns}
            if now != readers[task].columns:
                due.append((task, now, _extract(readers[task].message, catalog.at(at), params)))
        if not due:
            return
        for task, now, found in due:
            readers[task].columns = now
            parsed.note(task, message, _edges(found), again=True)
            _say(found, at, catalog)


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


def _say(found: Extraction, at: int, catalog: NaiveCatalog) -> None:
    for dataset, columns in found.outputs:
        catalog.say(dataset, at, tuple(columns))
