"""A fresh parse: each text extracted again, one after the other, under a naive catalog of the columns known by then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ingest.jobs import ExtractionJob
from ingest.workers import run_job
from verify_lib.stream import Raw

#: source, target, type, subtype, expression
EdgeValue = tuple[str, str, str, str, str]


@dataclass(slots=True)
class Parsed:
    """The edges of each version, and how complete the extractor says they are."""

    edges: dict[int, frozenset[EdgeValue]] = field(default_factory=dict)
    coverage: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)


class NaiveCatalog:
    """Which columns a dataset has at a valid time: a list of all that was ever said, gone through at each question."""

    def __init__(self) -> None:
        self._said: dict[str, list[tuple[int, int, tuple[str, ...]]]] = {}

    def say(self, dataset: str, effective_at: int, version: int, columns: tuple[str, ...]) -> None:
        """Add what a version says."""
        self._said.setdefault(dataset, []).append((effective_at, version, columns))

    def at(self, valid_at: int) -> dict[str, tuple[str, ...]]:
        """Return the columns of every dataset: of what was said from up to ``valid_at``, the latest."""
        found = {}
        for dataset, said in self._said.items():
            before = [entry for entry in said if entry[0] <= valid_at]
            if before:
                found[dataset] = max(before)[2]
        return found


def parse_again(messages: Iterable[Raw], effective_at: str) -> Parsed:
    """Extract every message's text in order; ``effective_at`` names the field that says from when it applies."""
    catalog, parsed = NaiveCatalog(), Parsed()
    for message in messages:
        if message["op"] == "offline":
            parsed.edges[message["version"]] = frozenset()
            continue
        at = message[effective_at]
        found = run_job(
            ExtractionJob(
                sql=message["sql"],
                dialect="bigquery",
                namespace="bigquery",
                default_database=message["task_id"].split(".")[0],
                target=f"bigquery:{message['target']}",
                columns=catalog.at(at),
            )
        )
        parsed.edges[message["version"]] = frozenset(
            (e.source, e.target, e.type, e.subtype, e.expression) for e in found.edges
        )
        parsed.coverage[found.coverage] += 1
        parsed.problems.update({problem.code for problem in found.problems})
        for dataset, columns in found.outputs:
            catalog.say(dataset, at, message["version"], tuple(columns))
    return parsed
