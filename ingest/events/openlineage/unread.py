"""Why a part of an event has no effect, in one code and its words: for the receipt of the event.

What a shape holds is looked at once; what differs from run to run is looked at in each event.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ingest.events.openlineage import checks, describing, queries
from ingest.events.openlineage.spec import places, unread
from ingest.events.openlineage.spec.models import type_of
from ingest.events.openlineage.spec.unread import UNREADABLE
from lineage_tt.model.messages import Problem
from lineage_tt.model.names import clipped

#: The key under which a translation of another format says what it could not read: a tuple of codes and words.
UNREAD: Final = "unread"
#: Where a dataset has facets of one use of it.
_USES: Final = ("facets", "inputFacets", "outputFacets")


def problem_of(
    document: Mapping[str, Any], subject: Mapping[str, Any], shape: bytes, body: Mapping[str, Any], *, has_nominal: bool
) -> tuple[str, str] | None:
    """Return the code and the words of what of an event has no effect, None where all of it has.

    ``subject`` is its job or dataset; ``body`` is what its ``shape`` is made of; ``has_nominal`` is whether its
    nominal time could be read.
    """
    run = document.get("run")
    of_type = type_of(document)[1] if run is not None else None
    found = [Problem(*each) for each in (queries.unresolved(subject.get("facets")), of_type) if each is not None]
    translated = document.get(UNREAD)
    if isinstance(translated, tuple):  # no JSON has one: it is not from the event itself
        found += [Problem(*each) for each in translated]
    found += unread.of_parts(document, also={UNREAD, "began"})
    found += places.misplaced(document)
    found += unread.of_shape(shape, body)
    facets = run.get("facets") if isinstance(run, Mapping) else None
    if isinstance(facets, Mapping):
        found += _of_run(facets, has_nominal=has_nominal)
    for side in ("inputs", "outputs"):
        for each in document.get(side) or ():
            found += _of_dataset(each)
    found += _of_dataset(document.get("dataset"))
    return unread.one(found)


def _of_run(facets: Mapping[str, Any], *, has_nominal: bool) -> Iterator[Problem]:
    nominal = facets.get("nominalTime")
    if nominal is not None and not has_nominal:
        given = nominal.get("nominalStartTime") if isinstance(nominal, Mapping) else None
        words = "is missing" if given is None else f"{clipped(str(given))} is not a time: write 2024-05-01T00:00:00Z"
        yield Problem(UNREADABLE, f"the facet nominalTime of the run cannot be read: nominalStartTime: {words}")
    if describing.has_failed(facets.get(describing.EXTRACTION_ERROR)):
        yield Problem(*describing.NOT_EXTRACTED)
    yield from unread.of_facet(facets, describing.DEPENDENCIES, describing.Dependencies, " of the run")
    if checks.TEST in facets:
        yield from _of_checks(checks.TEST, facets[checks.TEST], " of the run")


def _of_dataset(dataset: Any) -> Iterator[Problem]:
    for use in _USES:
        facets = dataset.get(use) if isinstance(dataset, Mapping) else None
        if not isinstance(facets, Mapping):
            continue
        if checks.ASSERTIONS in facets:
            yield from _of_checks(checks.ASSERTIONS, facets[checks.ASSERTIONS], unread.node(dataset))
        if use == "outputFacets" and facets.get("outputStatistics") is not None:
            yield from _of_statistics(facets["outputStatistics"], unread.node(dataset))


def _of_checks(name: str, facet: Any, where: str) -> Iterator[Problem]:
    wrong = list(checks.unread(name, facet))
    if wrong:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        yield Problem(UNREADABLE, f"the facet {name}{where} cannot be read whole: {wrong[0]}{more}")


def _of_statistics(facet: Any, where: str) -> Iterator[Problem]:
    for key in ("rowCount", "size"):
        value = facet.get(key) if isinstance(facet, Mapping) else None
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63):
            words = f"{key}: {clipped(str(value))} is not a count"
            yield Problem(UNREADABLE, f"the facet outputStatistics{where} cannot be read whole: {words}")
