"""Results of checks in events: ``dataQualityAssertions`` of datasets, and the run's facet ``test``.

What differs from run to run (values seen, texts) is left out when an event is read, so that runs whose checks end alike
have one shape. Each check of a node has its own timeline: a run without the check says nothing about it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from ingest.events.openlineage.datasets import Content, Member
from ingest.events.openlineage.merging import Picture
from ingest.events.openlineage.spec import facets as f
from ingest.events.openlineage.spec.models import Part
from ingest.messages.wording import problem_of
from lineage_tt.model.edges import column_node
from lineage_tt.model.facts import check_key, check_value
from lineage_tt.model.names import clipped
from lineage_tt.model.redaction.texts import looks_like_sql

#: The facet of a dataset, and the one of a run.
ASSERTIONS: Final = "dataQualityAssertions"
TEST: Final = "test"
_STEADY_FIELDS: Final = {
    ASSERTIONS: ("assertion", "success", "column", "name", "severity"),
    TEST: ("name", "status", "type", "severity"),
}
_LISTS: Final = {ASSERTIONS: "assertions", TEST: "tests"}
#: From the best to the worst: of several checks with one name, the worst counts.
_WORST: Final = ("passed", "error", "warned", "failed")
_STATUSES: Final = {
    "pass": "passed", "passed": "passed", "success": "passed", "fail": "failed", "failed": "failed",
    "failure": "failed", "warn": "warned", "warned": "warned", "warning": "warned",
}  # fmt: skip
#: Statuses of tests that did not run: they say nothing, and what was known of the check stays.
_NOT_RUN: Final = frozenset(["", "skip", "skipped", "no-op"])
#: Texts in the place of true and false.
_SUCCESSES: Final = {
    "true": "passed", "yes": "passed", "1": "passed", "false": "failed", "no": "failed", "0": "failed",
}  # fmt: skip
#: A literal in a check's name: a check without a name is named by its assertion, such as ``x <> 'secret'``.
_LITERAL: Final = re.compile(r"'(?!\?')[^']*'")

_P = TypeVar("_P", bound=Part)


def steady(name: str, facet: Any) -> Any:
    """Return a facet of checks without what differs from run to run; a facet of a wrong shape is returned as it is."""
    items = facet.get(_LISTS[name]) if isinstance(facet, Mapping) else None
    if not isinstance(items, list):
        return facet
    fields = [
        {key: _steady(key, each[key]) for key in _STEADY_FIELDS[name] if each.get(key) is not None}
        for each in items
        if _is_object(each)
    ]
    return {_LISTS[name]: sorted(fields, key=repr)}


def _steady(key: str, value: Any) -> Any:
    return _without_texts(value) if key in ("name", "assertion") and isinstance(value, str) else value


def joined(facets: Iterable[Any]) -> dict[str, Any]:
    """Return the assertions of a dataset, and of the uses of it (inputFacets, outputFacets), as one facet."""
    lists = [each.get("assertions") for each in facets if isinstance(each, Mapping)]
    return {"assertions": [item for each in lists if isinstance(each, list) for item in each]}


def of_run(picture: Picture, task: str) -> Iterator[tuple[Member, Content]]:
    """Yield the result of each check that a run made; those without a dataset belong to the task's node."""
    named: set[str] = set()
    for node, dataset in {**picture.inputs, **picture.outputs}.items():
        facets = [each.facets for each in (picture.inputs.get(node), picture.outputs.get(node)) if each is not None]
        assertions = [item for each in facets for item in _items(each.get(ASSERTIONS), "assertions", f.Assertion)]
        named |= {each.name for each in assertions if each.name}
        yield from _of_dataset(dataset.node, assertions)
    tests = _items(picture.run.get(TEST), "tests", f.Test)
    yield from _stated(
        (task, each.name, _status(each.status.lower()), each.type, each.severity)
        for each in tests
        if each.name not in named
    )


def of_dataset(node: str, facets: Mapping[str, Any]) -> Iterator[tuple[Member, Content]]:
    """Yield what a dataset event says about the checks of its dataset."""
    yield from _of_dataset(node, _items(facets.get(ASSERTIONS), "assertions", f.Assertion))


def _of_dataset(node: str, assertions: Iterable[f.Assertion]) -> Iterator[tuple[Member, Content]]:
    yield from _stated(
        (
            column_node(node, each.column) if each.column else node,
            each.name or each.assertion,
            _outcome(each.success),
            each.assertion,
            each.severity,
        )
        for each in assertions
    )


def _stated(
    reported: Iterable[tuple[str, str, str | None, str | None, str | None]],
) -> Iterator[tuple[Member, Content]]:
    results_of: dict[tuple[str, str], list[tuple[int, str, str]]] = {}
    for node, name, status, kind, severity in reported:
        if status is None or not name:
            continue
        name = _without_texts(name)
        level = severity.lower() if severity and severity.lower() in ("error", "warn") else None
        if status == "failed" and level == "warn":
            status = "warned"
        results_of.setdefault((node, name), []).append((_WORST.index(status), kind or "", level or ""))
    for (node, name), results in sorted(results_of.items()):
        worst, kind, severity = max(results)
        key = check_key(name)
        value = check_value(_WORST[worst], kind or None, severity or None)
        yield ("fact", node, key), Content("set", (), ((node, key, value),))


def unread(name: str, facet: Any) -> Iterator[str]:
    """Yield, in words, what cannot be read in a facet of checks, each with its place."""
    if not isinstance(facet, Mapping):
        yield "must be an object"
        return
    items = facet.get(_LISTS[name])
    if facet.get("_deleted") is True:
        return
    if not isinstance(items, list):
        yield f"{_LISTS[name]}: " + ("is missing" if items is None else "must be a list")
        return
    for number, each in enumerate(items):
        yield from (f"{_LISTS[name]}.{number}{words}" for words in _unread_item(name, each))


def _unread_item(name: str, item: Any) -> Iterator[str]:
    if not isinstance(item, Mapping):
        yield ": must be an object"
        return
    try:
        (f.Assertion if name == ASSERTIONS else f.Test).model_validate(item)
    except ValidationError as error:
        yield f".{problem_of(error.errors(include_url=False)[0])}"
    if name == ASSERTIONS and _outcome(item.get("success")) == "error":
        success = item.get("success")
        given = "is missing" if success is None else f"{clipped(str(success))} is neither true nor false"
        yield f".success: {given}, so that the check counts as one with an error"
    word = item.get("status")
    if name == TEST and isinstance(word, str) and _status(word.lower()) == "error" and "error" not in word.lower():
        yield f".status: {clipped(word)} is not known, so that the test counts as one with an error"


def _outcome(success: Any) -> str:
    """Return how a check ended; ``error`` where its ``success`` says neither, as it may have been either.

    Otherwise the earlier result would stay in force, such as *passed*.
    """
    if isinstance(success, str):
        word = success.strip().lower()
        return _SUCCESSES.get(word) or _STATUSES.get(word, "error")
    return {"True": "passed", "1": "passed", "False": "failed", "0": "failed"}.get(str(success), "error")


def _status(word: str) -> str | None:
    """Return how a test ended, None where it did not run; any other word than the known ones is an error of the test.

    Otherwise the earlier result would stay in force, such as *passed*.
    """
    return None if word in _NOT_RUN else _STATUSES.get(word, "error")


def _without_texts(name: str) -> str:
    """Return a check's name without SQL and literals: keys are stored unmasked, whatever the policy for texts."""
    masked = "" if looks_like_sql(name) else _LITERAL.sub("'?'", name)
    if masked == name:
        return name
    digest = hashlib.blake2b(name.encode(), digest_size=6).hexdigest()
    return f"{masked} sql-{digest}".lstrip()


def _items(facet: Any, name: str, model: type[_P]) -> list[_P]:
    """Return the readable items of a facet's list; others are ignored: the rest still counts."""
    items = facet.get(name) if isinstance(facet, Mapping) and facet.get("_deleted") is not True else None
    result = []
    for each in items if isinstance(items, list) else ():
        try:
            result.append(model.model_validate(each))
        except ValidationError:
            continue
    return result


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)
