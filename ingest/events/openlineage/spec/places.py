"""Facets in a place where nothing reads them, or under a name that resembles that of one which is read.

Producers have many facets of their own, so that only names of the specification are looked at: a facet that is read
elsewhere, and one whose name differs in case or in separators alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Literal

from ingest.events.openlineage.spec.unread import node
from lineage_tt.model.messages import UNKNOWN_FIELD, Problem
from lineage_tt.model.names import clipped, meaning

Place = Literal["event", "run", "job", "dataset", "input", "inputFacets", "outputFacets"]

_OF_NODES: Final = frozenset({"documentation", "ownership", "tags"})
_OF_INPUTS: Final = _OF_NODES | {
    "dataQualityAssertions", "datasetType", "lifecycleStateChange", "lineage", "schema", "symlinks",
}  # fmt: skip
_CHECKED: Final = frozenset({"dataQualityAssertions"})
#: The facets that are read, by place.
_READ: Final[Mapping[Place, frozenset[str]]] = {
    "event": frozenset(),
    "run": frozenset(
        {"extractionError", "jobDependencies", "lineage", "nominalTime", "parent", "processing_engine", "tags", "test"}
    ),
    "job": _OF_NODES | {"jobType", "lineage", "sql"},
    "dataset": _OF_INPUTS | {"columnLineage"},
    "input": _OF_INPUTS,
    "inputFacets": _CHECKED,
    "outputFacets": _CHECKED | {"outputStatistics"},
}
_KNOWN: Final = frozenset().union(*_READ.values())
#: What the places are called to which a facet belongs. What inputs have, outputs have, too.
_WORDS: Final[Mapping[Place, str]] = {
    "job": "a job", "run": "a run", "input": "a dataset", "dataset": "an output",
    "outputFacets": "an output (outputFacets)",
}  # fmt: skip
#: Facets that drafts of the specification called otherwise.
_FORMER: Final = {"parentrun": "parent"}


def misplaced(document: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield the facets of an event without effect that would have one in another place, or under another name."""
    yield from _of("event", document, "")
    for name in ("run", "job"):
        part = document.get(name)
        if isinstance(part, Mapping):
            yield from _of("event", part, f" of the {name}")
            yield from _of("run" if name == "run" else "job", part.get("facets"), f" of the {name}")
    written = {_name(each) for each in _datasets(document, "outputs")}
    for side in ("inputs", "outputs", "dataset"):
        for each in _datasets(document, side):
            # a dataset that is written, too, has its lineage as an output
            place: Place = "input" if side == "inputs" and _name(each) not in written else "dataset"
            yield from _of("event", each, node(each))
            yield from _of(place, each.get("facets"), node(each))
            yield from _of("inputFacets", each.get("inputFacets"), f" in inputFacets{node(each)}")
            yield from _of("outputFacets", each.get("outputFacets"), f" in outputFacets{node(each)}")


def _datasets(document: Mapping[str, Any], side: str) -> Iterator[Mapping[str, Any]]:
    given = document.get(side)
    for each in given if isinstance(given, list) else [given]:
        if isinstance(each, Mapping):
            yield each


def _name(dataset: Mapping[str, Any]) -> tuple[str, str]:
    return str(dataset.get("namespace")), str(dataset.get("name"))


def _of(place: Place, facets: Any, where: str) -> Iterator[Problem]:
    if not isinstance(facets, Mapping):
        return
    for name in facets.keys() - _READ[place]:
        words = _words(place, name) if isinstance(name, str) and len(name) <= _LONGEST else None
        if words is None or not isinstance(facets[name], Mapping) or facets[name].get("_deleted") is True:
            continue
        meant, said = words
        if meant is None or meant not in facets:
            yield Problem(UNKNOWN_FIELD, f"the facet {clipped(name)}{where} has no effect{said}")


@lru_cache(maxsize=4096)
def _words(place: Place, name: str) -> tuple[str | None, str] | None:
    """Return the facet of this place that a name means, and what to say of it; None for a producer's own facet."""
    if name in _KNOWN:
        homes = [other for other in _WORDS if name in _READ[other]]
        only = [other for other in homes if other not in ("dataset", "outputFacets")] or homes[:1]
        return None, f": it is a facet of {' or '.join(map(_WORDS.__getitem__, only))}"
    if place == "event":
        return None
    plain = _plain(name)
    near = next((each for each in sorted(_KNOWN) if _plain(each) == plain), None) or _FORMER.get(plain)
    return (near, meaning(near)) if near in _READ[place] else None


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


#: The longest name that may mean one of these facets.
_LONGEST: Final = 2 * max(map(len, _KNOWN))
