"""Results of checks: a check that fails points upstream to its cause, one that passes clears the changes it saw."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from lineage_tt.model.answers import FactAsOf
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.facts import check_name, check_status

#: How much more likely a change is if a check that saw it began to fail with it or later.
SEEN_FAILING: Final = 2.0
#: How much less likely a change is if a check that saw it has passed since: it ran after the change, or before it.
SEEN_PASSING: Final = 0.3
PASSED_BEFORE: Final = 0.8


class Check(NamedTuple):
    """The result of a check of a node, and since when (valid time, UTC microseconds) it has had this result.

    ``passed`` is when a failing check last passed, as far as known; None where that is not known.
    """

    node: str
    name: str
    status: str
    since: int
    version: int
    passed: int | None = None


def with_passes(checks: Iterable[Check], passes: Iterable[Check]) -> list[Check]:
    """Return the checks, each failing one with the last of ``passes`` before it."""
    times: dict[tuple[str, str], list[int]] = defaultdict(list)
    for each in passes:
        if each.status == "passed":
            times[each.node, each.name].append(each.since)
    return [
        check._replace(passed=max((at for at in times[check.node, check.name] if at < check.since), default=None))
        if check.status == "failed"
        else check
        for check in checks
    ]


def checks_of(facts: Iterable[FactAsOf]) -> list[Check]:
    """Return the results stated by facts, in order; an invalid value counts as ``unreadable``, never as passed."""
    result = [
        Check(fact.node, name, check_status(fact.value) or "unreadable", fact.valid_from, fact.version)
        for fact in facts
        if (name := check_name(fact.key)) is not None
    ]
    return sorted(result)


def evidence(
    at: int, nodes: Collection[str], checks: Iterable[Check], seen: Mapping[str, Collection[str]]
) -> tuple[float, list[Check]]:
    """Return the factor by which checks make a change of ``nodes`` at ``at`` likelier, and the checks that failed.

    ``seen`` are the nodes that feed the node of each check. Several checks of a kind count once. A check that passed
    after the change and failed later clears the change.
    """
    factor, failed = {"failed": 1.0, "passed": 1.0}, []
    for check in checks:
        if not _sees(seen.get(check.node, ()), nodes):
            continue
        if check.status == "failed" and check.passed is not None and check.passed >= at:
            factor["passed"] = min(factor["passed"], SEEN_PASSING)
        elif check.status == "failed" and check.since >= at:
            factor["failed"] = SEEN_FAILING
            failed.append(check)
        elif check.status == "passed":
            passed = SEEN_PASSING if check.since >= at else PASSED_BEFORE
            factor["passed"] = min(factor["passed"], passed)
    return factor["failed"] * factor["passed"], failed


def _sees(seen: Collection[str], nodes: Collection[str]) -> bool:
    return any(node in seen for node in nodes)


def with_dataset(nodes: Iterable[str]) -> set[str]:
    """Return the nodes together with their datasets."""
    result = set(nodes)
    return result | {dataset_of(node) for node in result}
