"""Answers as plain objects, the same for the command line's ``--format json`` and for the service.

Their keys are an API: ``docs/reference/commands.md`` and ``docs/reference/http-api.md`` list them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from lineage_tt.log.retention import Horizon
from lineage_tt.model.answers import Basis, Blame, DeadLetter, Difference, EdgeAsOf, FeedEntry, Lineage, Step, TaskAsOf
from lineage_tt.model.completeness.summary import COMPLETE, Completeness
from lineage_tt.model.redaction.policy import TextState
from lineage_tt.model.times import format_instant

INSTANTS: Final = frozenset(
    {"system_time", "effective_at", "recorded_at", "valid_from", "valid_to", "system_from", "system_to"}
)
_COMPLETE: Final = COMPLETE.to_json()
EDGE_KEYS: Final = ("task_id", "source", "target", "type", "subtype", "expression")


def record(answer: Any, *, without: Iterable[str] = ()) -> dict[str, Any]:
    """Return a named tuple as an object, its instants in ISO 8601."""
    left_out = set(without)
    return {
        name: format_instant(value) if name in INSTANTS else value
        for name, value in zip(answer._fields, answer, strict=True)
        if name not in left_out
    }


def answer(basis: Any, result: Any, completeness: Completeness | None = None) -> dict[str, Any]:
    """Return the object of an answer: the point it was read at, how complete it is (where known), and the result."""
    if completeness is None:
        return {"basis": basis, "result": result}
    return {"basis": basis, "completeness": completeness_object(completeness), "result": result}


def completeness_object(completeness: Completeness) -> dict[str, Any]:
    """Return how complete an answer is; complete answers share one object."""
    return _COMPLETE if completeness is COMPLETE else completeness.to_json()


def known_by(basis: Basis, horizon: Horizon | None = None) -> dict[str, Any]:
    """Return the basis of an answer over all valid times.

    ``horizon`` is given for an answer that also covers all system times; it says from where everything is kept.
    """
    result = basis.to_json() | {"valid_at": None}
    if horizon is not None:
        result["kept_from"] = {"version": horizon.version, "system_time": format_instant(horizon.system_time)}
    return result


def policy_object(state: TextState, version: int) -> dict[str, Any]:
    """Return how much of the texts a store keeps at a version."""
    tightened = state.tightened
    return {
        "policy": state.policy,
        "spans": [{"since": since, "policy": policy} for since, policy in state.spans],
        "tightened": {"upto": tightened.upto, "policy": tightened.policy} if tightened is not None else None,
        "older_versions_hold_more": state.looser(version),
    }


def lineage_result(lineage: Lineage) -> dict[str, Any]:
    """Return the result of ``lineage``."""
    return {
        "start": list(lineage.start),
        "nodes": [{"node": node, "steps": steps} for node, steps in lineage.nodes.items()],
        "edges": [_step(step) for step in lineage.steps],
    }


def _step(step: Step) -> dict[str, Any]:
    """Return an edge reached as ``record`` would; written out for speed, since there may be a hundred thousand."""
    way, steps, (task_id, source, target, kind, subtype, expression, version, valid_from, valid_to), by_star = step
    return {
        "direction": way, "steps": steps, "task_id": task_id, "source": source, "target": target, "type": kind,
        "subtype": subtype, "expression": expression, "version": version, "valid_from": _instant(valid_from),
        "valid_to": _instant(valid_to), "by_star": by_star,
    }  # fmt: skip


#: Edges of a task share their times, so the text of each time is made once.
_instant = lru_cache(65_536)(format_instant)


def diff_result(difference: Difference) -> dict[str, Any]:
    """Return the result of ``diff``."""
    return {
        "removed": [dict(zip(EDGE_KEYS, edge, strict=True)) for edge in difference.removed],
        "added": [dict(zip(EDGE_KEYS, edge, strict=True)) for edge in difference.added],
    }


def blame_result(blames: Iterable[Blame]) -> list[dict[str, Any]]:
    """Return the result of ``blame``."""
    return [{"edge": record(blame.edge), "message": record(blame.entry)} for blame in blames]


def task_object(task: TaskAsOf) -> dict[str, Any]:
    """Return a task in force, with the reasons why its coverage is not complete."""
    return record(task, without=["reasons"]) | {"reasons": [reason.to_json() for reason in task.reasons]}


def feed_object(entry: FeedEntry) -> dict[str, Any]:
    """Return one version's changes as ``changes`` prints them, one line per version."""
    changes = []
    for sign, source, target, kind, subtype, expression, valid_from, valid_to in entry.changes:
        edge = EdgeAsOf(
            entry.task_id or "", source, target, kind, subtype, expression, entry.version, valid_from, valid_to
        )
        changes.append({"sign": sign} | record(edge))
    facts = []
    for sign, node, key, value, valid_from, valid_to in entry.facts:
        stretch = {"valid_from": format_instant(valid_from), "valid_to": format_instant(valid_to)}
        facts.append({"sign": sign, "node": node, "key": key, "value": value} | stretch)
    return record(entry, without=["changes", "facts", "rectangles"]) | {"changes": changes, "facts": facts}


def dead_letter_object(letter: DeadLetter, *, whole: bool) -> dict[str, Any]:
    """Return a dead letter; ``whole`` adds its bytes as ``raw``, or as ``raw_hex`` where they are not UTF-8."""
    result = record(letter, without=["raw"]) | {"bytes": len(letter.raw)}
    if not whole:
        return result
    try:
        return result | {"raw": letter.raw.decode(), "raw_hex": None}
    except UnicodeDecodeError:
        return result | {"raw": None, "raw_hex": letter.raw.hex()}


def cell(value: Any) -> Any:
    """Return a value of a DuckDB result in a form for JSON: bytes as hex, numbers that are not finite as words."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {str(key): cell(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [cell(inner) for inner in value]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    return value if value is None or isinstance(value, (str, int, float, bool)) else plain(value)


def plain(value: Any) -> str:
    """Return as text a value that JSON cannot represent."""
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
