"""What of a dbt project has no effect: unknown nodes, nodes of no known kind, odd results of tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from ingest.dbt import checks
from ingest.dbt.artifacts import Artifacts
from ingest.dbt.kinds.side_writes import writes_beside
from ingest.dbt.relations import SECTIONS, Relations, depends_on
from ingest.dbt.runs import not_built, results_of
from lineage_tt.model.names import clipped

#: The resource types that are read, directly or in the place of what depends on them.
_READ: Final = frozenset(
    ["model", "seed", "snapshot", "source", "test", "exposure", "metric", "semantic_model", "saved_query", "function"]
)
#: Those that hold no lineage: dbt lists them among its nodes.
_WITHOUT_LINEAGE: Final = frozenset(
    ["analysis", "operation", "sql operation", "sql_operation", "rpc", "doc", "macro", "group", "unit_test", "fixture"]
)
_TEST: Final = "test."
_UNIT_TEST: Final = "unit_test."
_PASSED: Final = ("pass", "success")


class Unread(NamedTuple):
    """A kind of thing that has no effect: how many there are, and one of them in words."""

    code: str
    number: int
    example: str


def unread(artifacts: Artifacts, relations: Relations) -> list[Unread]:
    """Return what of a project has no effect, by code."""
    found = {
        "unreadable-node": _unreadable(artifacts.manifest),
        "unreadable-column": _columns(artifacts.catalog),
        "unreadable-result": _unreadable_results(artifacts.results),
        "unknown-resource-type": _of_no_kind(relations),
        "unknown-dependency": _dependencies(relations),
        "unknown-status": _statuses(artifacts, relations),
        "unknown-test": _tests(artifacts, relations),
        "unit-test": _unit_tests(artifacts),
        "not-run": _not_run(artifacts, relations),
        "side-write": writes_beside(relations),
        "not-built": _not_built(artifacts, relations),
    }
    listed = [(code, list(words)) for code, words in found.items()]
    return [Unread(code, len(words), words[0]) for code, words in listed if words]


def _unreadable(manifest: Mapping[str, Any]) -> Iterator[str]:
    for section in SECTIONS:
        entries = manifest.get(section)
        if entries is not None and not isinstance(entries, dict):
            yield f"{section} is not an object"
        for key, node in entries.items() if isinstance(entries, dict) else ():
            if not isinstance(node, dict):
                yield f"{section}.{clipped(key)} is not an object"


def _columns(catalog: Mapping[str, Any]) -> Iterator[str]:
    for section in ("nodes", "sources"):
        entries = catalog.get(section)
        if entries is not None and not isinstance(entries, dict):
            yield f"{section} of the catalog is not an object"
        for key, entry in entries.items() if isinstance(entries, dict) else ():
            columns = entry.get("columns") if isinstance(entry, dict) else None
            if not isinstance(columns, dict):
                yield f"the catalog's columns of {clipped(key)} are not an object"
                continue
            for name, column in columns.items():
                if not isinstance(column, dict) or not isinstance(column.get("name"), str):
                    yield f"the catalog's column {clipped(name)} of {clipped(key)} has no name"


def _unreadable_results(results: Mapping[str, Any]) -> Iterator[str]:
    entries = results.get("results")
    if entries is not None and not isinstance(entries, list):
        yield "results of the run results is not a list"
    for number, entry in enumerate(entries if isinstance(entries, list) else ()):
        if not isinstance(entry, dict) or not isinstance(entry.get("unique_id"), str):
            yield f"result {number} of the run results does not say what it is of"


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
    for unique_id, entry in results_of(artifacts):
        node, word = relations.node(unique_id), entry.get("status")
        is_test = node is not None and node.get("resource_type") == "test"
        if is_test and isinstance(word, str) and not checks.is_known(word):
            yield f"status {clipped(word)} of {clipped(unique_id)}: the test counts as one with an error"


def _tests(artifacts: Artifacts, relations: Relations) -> Iterator[str]:
    known = _units(artifacts)
    for unique_id, _ in results_of(artifacts):
        is_missing = unique_id.startswith(_TEST) and relations.node(unique_id) is None
        if is_missing or (unique_id.startswith(_UNIT_TEST) and unique_id not in known):
            yield f"the manifest lacks {clipped(unique_id)}, of which the run results say something"


def _unit_tests(artifacts: Artifacts) -> Iterator[str]:
    """Yield unit tests that did not pass: they look at texts, with rows of their own, and say nothing of a table."""
    known = _units(artifacts)
    for unique_id, entry in results_of(artifacts):
        word = entry.get("status")
        if unique_id.startswith(_UNIT_TEST) and unique_id in known and word not in _PASSED:
            yield f"{clipped(unique_id)} is a unit test: its result, {clipped(str(word))}, is not kept"


def _not_run(artifacts: Artifacts, relations: Relations) -> Iterator[str]:
    for unique_id, entry in results_of(artifacts):
        node = relations.node(unique_id)
        if node is not None and node.get("resource_type") == "test" and checks.is_compiled_only(entry, artifacts):
            yield f"{clipped(unique_id)} was compiled, not run: no result is kept; ingest those of dbt build, too"


def _units(artifacts: Artifacts) -> Mapping[str, Any]:
    entries = artifacts.manifest.get("unit_tests")
    return entries if isinstance(entries, dict) else {}


def _not_built(artifacts: Artifacts, relations: Relations) -> Iterator[str]:
    failed, skipped = not_built(artifacts, relations)
    for unique_id in sorted(failed):
        yield f"{clipped(unique_id)} failed in this run: what an earlier one made of it holds"
    for unique_id in sorted(skipped):
        yield f"{clipped(unique_id)} was skipped in this run: what an earlier one made of it holds, if there was one"
