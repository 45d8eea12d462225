"""Results of dbt's tests as facts of what they look at: ``check:TEST`` of a column, a table, or the test itself.

A result holds from the moment the test ended until a run in which the test ends differently. A skipped test says
nothing, as does one that was only compiled, and a status that is not known is an error of the test; a result of a test
that the manifest lacks is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import orjson

from ingest.dbt.artifacts import Artifacts, in_microseconds
from ingest.dbt.columns import is_plain
from ingest.dbt.kinds.attached import attached_to
from ingest.dbt.relations import OWN, Relations
from lineage_tt.model.edges import dataset_node
from lineage_tt.model.facts import check_key, check_value
from lineage_tt.model.messages import RejectedMessage
from lineage_tt.model.times import parse_instant

Content = dict[str, Any]
#: What dbt calls the results of tests.
_STATUSES: Final = {
    "pass": "passed", "success": "passed", "fail": "failed", "warn": "warned", "error": "error",
    "runtime error": "error",
}  # fmt: skip
#: Results of tests that did not run, or not wholly: they say nothing.
_NOT_RUN: Final = frozenset(["skipped", "skip", "no-op", "partial success", "reused", ""])
#: Commands that compile tests and run none: each has the status ``success`` then, whatever the data is like.
_COMPILING: Final = frozenset(["compile", "generate", "docs generate", "docs.generate", "docs", "show"])
_SEVERITY: Final = re.compile(r"error|warn", re.IGNORECASE)


class Result(NamedTuple):
    """A test's result: the message without id and time, when the test ended, and figures that differ between runs."""

    content: Content
    at: str
    figures: Content


def place_of(unique_id: str, node: Mapping[str, Any], relations: Relations) -> str:
    """Return the node whose check a test is: its column or table; for a test over several tables its own end node."""
    attached = attached_to(unique_id, node, relations)
    if attached is None:
        return dataset_node(OWN, relations.task(unique_id))
    column = node.get("column_name")
    return relations.column(attached, column) if is_plain(column) else attached


def keys(relations: Relations) -> Iterator[tuple[str, str]]:
    """Yield (node, key) of all tests that the manifest has."""
    for unique_id, node in relations.of_kind("test"):
        yield place_of(unique_id, node, relations), check_key(unique_id)


def results(artifacts: Artifacts, relations: Relations) -> Iterator[Result | RejectedMessage]:
    """Yield the results of tests, in order of time; one that cannot be read becomes a dead letter."""
    entries = artifacts.results.get("results")
    valid: list[Result] = []
    for each in entries if isinstance(entries, list) else ():
        unique_id = each.get("unique_id") if isinstance(each, dict) else None
        node = relations.node(unique_id) if isinstance(unique_id, str) else None
        if node is None or node.get("resource_type") != "test" or is_compiled_only(each, artifacts):
            continue
        try:
            result = _result(str(unique_id), node, each, artifacts, relations)
        except ValueError as error:
            yield RejectedMessage(_bytes(each), "invalid-message", f"{unique_id}: {error}", task_id=str(unique_id))
        else:
            valid += [result] if result is not None else []
    yield from sorted(valid, key=lambda result: (parse_instant(result.at), result.content["key"]))


def _result(
    unique_id: str, node: Mapping[str, Any], entry: Mapping[str, Any], artifacts: Artifacts, relations: Relations
) -> Result | None:
    word = entry.get("status")
    if not isinstance(word, str):
        raise ValueError("status: the result of a test has none")
    if word.lower() in _NOT_RUN:
        return None
    status = _STATUSES.get(word.lower(), "error")  # otherwise an earlier result would stay in force, such as passed
    at = _ended(entry) or artifacts.results_at
    if at is None:
        raise ValueError("neither the result nor run_results.json says when the test ended; run dbt test again")
    parse_instant(at)
    value = check_value(status, _kind(node), _severity(node))
    content = {"kind": "fact", "node": place_of(unique_id, node, relations), "key": check_key(unique_id), "op": "set",
               "values": [value]}  # fmt: skip
    failures = entry.get("failures")
    return Result(content, at, {"failures": failures} if isinstance(failures, int) else {})


def is_compiled_only(entry: Mapping[str, Any], artifacts: Artifacts) -> bool:
    """Return whether the result of a test is of its compilation: it says nothing about the data.

    ``dbt docs generate`` and ``dbt compile`` write run results, too. A test that ran counts its failures.
    """
    args = artifacts.results.get("args")
    command = args.get("which") or args.get("rpc_method") if isinstance(args, Mapping) else None
    if isinstance(command, str):
        return command.lower() in _COMPILING
    return str(entry.get("status")).lower() == "success" and entry.get("failures", 0) is None


def is_known(word: str) -> bool:
    """Return whether a status is one that dbt gives the result of a test."""
    return word.lower() in _STATUSES or word.lower() in _NOT_RUN


def _kind(node: Mapping[str, Any]) -> str | None:
    metadata = node.get("test_metadata")
    if not isinstance(metadata, Mapping) or not isinstance(metadata.get("name"), str):
        return "singular"
    package = metadata.get("namespace")
    return f"{package}.{metadata['name']}" if isinstance(package, str) and package else str(metadata["name"])


def _severity(node: Mapping[str, Any]) -> str | None:
    config = node.get("config")
    word = config.get("severity") if isinstance(config, Mapping) else None
    return word.lower() if isinstance(word, str) and _SEVERITY.fullmatch(word) else None


def _ended(entry: Mapping[str, Any]) -> str | None:
    """Return when a node finished: the end of its last step; None where the result does not say."""
    timing = entry.get("timing")
    steps: Iterable[Any] = timing if isinstance(timing, list) else ()
    ends = [
        each["completed_at"] for each in steps if isinstance(each, dict) and isinstance(each.get("completed_at"), str)
    ]
    return in_microseconds(ends[-1]) if ends else None


def _bytes(entry: Any) -> bytes:
    try:
        return orjson.dumps(entry)
    except orjson.JSONEncodeError:
        return repr(entry)[:10_000].encode()
