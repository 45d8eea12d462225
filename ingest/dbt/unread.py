"""What of a dbt project has no effect: unknown nodes, nodes of no known kind, odd results of tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from ingest.dbt import checks
from ingest.dbt.artifacts import Artifacts
from ingest.dbt.relations import SECTIONS, Relations, depends_on
from lineage_tt.model.names import clipped

#: The resource types that are read, directly or in the place of what depends on them.
_READ: Final = frozenset(
    ["model", "seed", "snapshot", "source", "test", "exposure", "metric", "semantic_model", "saved_query"]
)
#: Those that hold no lineage: dbt lists them among its nodes.
_WITHOUT_LINEAGE: Final = frozenset(
    ["analysis", "operation", "sql operation", "sql_operation", "rpc", "doc", "macro", "group", "unit_test", "fixture"]
)
_TEST: Final = "test."


class Unread(NamedTuple):
    """A kind of thing that has no effect: how many there are, and one of them in words."""

    code: str
    number: int
    example: str


def unread(artifacts: Artifacts, relations: Relations) -> list[Unread]:
    """Return what of a project has no effect, by code."""
    found = {
        "unreadable-node": _unreadable(artifacts.manifest),
        "unknown-resource-type": _of_no_kind(relations),
        "unknown-dependency": _dependencies(relations),
        "unknown-status": _statuses(artifacts, relations),
        "unknown-test": _tests(artifacts, relations),
    }
    listed = [(code, list(words)) for code, words in found.items()]
    return [Unread(code, len(words), words[0]) for code, words in listed if words]


def _unreadable(manifest: Mapping[str, Any]) -> Iterator[str]:
    for section in SECTIONS:
        entries = manifest.get(section)
        for key, node in entries.items() if isinstance(entries, dict) else ():
            if not isinstance(node, dict):
                yield f"{section}.{clipped(key)} is not an object"


def _of_no_kind(relations: Relations) -> Iterator[str]:
    for unique_id, node in relations.all():
        kind = node.get("resource_type")
        if kind not in _READ and kind not in _WITHOUT_LINEAGE:
            yield f"{clipped(unique_id)} is of resource_type {clipped(str(kind))}: no lineage is read from it"


def _dependencies(relations: Relations) -> Iterator[str]:
    """Yield dependencies on nodes that the manifest lacks; what they feed has fewer edges than dbt states."""
    for unique_id, node in relations.of_kind(*_READ):
        for each in depends_on(node):
            if relations.node(each) is None:
                yield f"{clipped(unique_id)} depends on {clipped(each)}, which the manifest lacks"


def _statuses(artifacts: Artifacts, relations: Relations) -> Iterator[str]:
    for unique_id, entry in _results(artifacts):
        node, word = relations.node(unique_id), entry.get("status")
        is_test = node is not None and node.get("resource_type") == "test"
        if is_test and isinstance(word, str) and not checks.is_known(word):
            yield f"status {clipped(word)} of {clipped(unique_id)}: the test counts as one with an error"


def _tests(artifacts: Artifacts, relations: Relations) -> Iterator[str]:
    for unique_id, _ in _results(artifacts):
        if unique_id.startswith(_TEST) and relations.node(unique_id) is None:
            yield f"the manifest lacks {clipped(unique_id)}, of which the run results say something"


def _results(artifacts: Artifacts) -> Iterable[tuple[str, Mapping[str, Any]]]:
    entries = artifacts.results.get("results")
    objects = [each for each in entries if isinstance(each, dict)] if isinstance(entries, list) else []
    return [(each["unique_id"], each) for each in objects if isinstance(each.get("unique_id"), str)]
