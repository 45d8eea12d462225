"""What OpenLineage events state, read as naively as can be: the expectation against which stores are held.

Shares no code with ``ingest.events``. Edges are (source, target) pairs of nodes; nodes are ``namespace:name#column``.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Event = dict[str, Any]


def events_of(path: Path) -> list[Event]:
    """Return the events of a file: JSON Lines, an array, or one object."""
    text = path.read_text(encoding="utf-8").strip()
    try:
        document = json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.splitlines()]
    return document if isinstance(document, list) else [document]


def node(dataset: Event, column: str | None = None) -> str:
    """Return the node of a dataset, or of a column of it."""
    name = f"{dataset['namespace']}:{dataset['name']}"
    return name if column is None else f"{name}#{column}"


def decided(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yield the events of each run that was completed, in order of time."""
    runs = defaultdict(list)
    for event in events:
        runs[event["job"]["namespace"], event["job"]["name"], event["run"]["runId"]].append(event)
    for run in runs.values():
        run.sort(key=lambda event: event["eventTime"])
        if any(event.get("eventType") == "COMPLETE" for event in run):
            yield run


def edges(events: Iterable[Event]) -> set[tuple[str, str]]:
    """Return the edges that completed runs state: of columns, and of tables where no columns are reported."""
    result: set[tuple[str, str]] = set()
    for run in decided(events):
        inputs = {node(each) for event in run for each in event.get("inputs") or ()}
        outputs = {node(each) for event in run for each in event.get("outputs") or ()}
        told = set()
        for event in run:
            for output in event.get("outputs") or ():
                pairs = set(columns(output))
                result |= pairs
                told |= {node(output)} if pairs else set()
        result |= {(source, target) for source in inputs for target in outputs - told}
    return result


def columns(output: Event) -> Iterator[tuple[str, str]]:
    """Yield the edges of a columnLineage facet."""
    facet = (output.get("facets") or {}).get("columnLineage") or {}
    for column, field in (facet.get("fields") or {}).items():
        yield from ((node(each, each["field"]), node(output, column)) for each in field["inputFields"])
    yield from ((node(each, each["field"]), node(output)) for each in facet.get("dataset") or ())


def facts(events: Iterable[Event]) -> set[tuple[str, str, str]]:
    """Return the owners, descriptions, aliases and columns that completed runs state."""
    result: set[tuple[str, str, str]] = set()
    for run in decided(events):
        for event in run:
            job = event["job"]
            result |= set(_of(f"task:{job['namespace']}/{job['name']}", job.get("facets") or {}))
            for dataset in (*(event.get("inputs") or ()), *(event.get("outputs") or ())):
                facets = dataset.get("facets") or {}
                result |= set(_of(node(dataset), facets))
                for each in (facets.get("symlinks") or {}).get("identifiers", ()):
                    result.add((node(dataset), "alias", node(each)))
                for field in (facets.get("schema") or {}).get("fields", ()):
                    result.add((node(dataset), "column", field["name"]))
                    if field.get("description"):
                        result.add((node(dataset, field["name"]), "description", field["description"]))
    return result


def _of(name: str, facets: Event) -> Iterator[tuple[str, str, str]]:
    yield from ((name, "owner", each["name"]) for each in (facets.get("ownership") or {}).get("owners", ()))
    if (facets.get("documentation") or {}).get("description"):
        yield name, "description", facets["documentation"]["description"]
