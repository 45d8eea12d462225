"""What dbt's run results say about the nodes that a run built: which of them did not come about.

A model that failed is in the warehouse as an earlier run left it, or not at all, whatever the manifest says of it now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ingest.dbt.artifacts import Artifacts
from ingest.dbt.relations import Relations

_FAILED: Final = frozenset(["error", "fail", "runtime error"])
#: Not built because something before it failed; Fusion also skips what has not changed.
_SKIPPED: Final = frozenset(["skipped", "skip"])


def results_of(artifacts: Artifacts) -> list[tuple[str, Mapping[str, Any]]]:
    """Return (unique id, result) of each result that can be read."""
    entries = artifacts.results.get("results")
    objects = [each for each in entries if isinstance(each, dict)] if isinstance(entries, list) else []
    return [(each["unique_id"], each) for each in objects if isinstance(each.get("unique_id"), str)]


def not_built(artifacts: Artifacts, relations: Relations) -> tuple[frozenset[str], frozenset[str]]:
    """Return which models, snapshots and seeds failed in the run of this manifest, and which it skipped, by unique id.

    Results of another invocation than the manifest's say nothing: ``dbt parse`` leaves those of an earlier run.
    """
    ran, made = artifacts.results.get("metadata"), artifacts.manifest["metadata"]
    invocation = ran.get("invocation_id") if isinstance(ran, dict) else None
    if invocation and made.get("invocation_id") and invocation != made["invocation_id"]:
        return frozenset(), frozenset()
    built = {unique_id for unique_id, _ in relations.of_kind("model", "snapshot", "seed")}
    words = {unique_id: str(entry.get("status")).lower() for unique_id, entry in results_of(artifacts)}
    return (
        frozenset(each for each, word in words.items() if each in built and word in _FAILED),
        frozenset(each for each, word in words.items() if each in built and word in _SKIPPED),
    )
