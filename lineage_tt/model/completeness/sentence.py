"""What an answer does not know, as one line for people: text pages, notebooks and reports share it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lineage_tt.model.completeness.summary import MAX_NAMED, UNKNOWN_COLUMNS, Completeness, Reason

#: How users declare columns; ``docs/how-to/declare-columns-and-facts.md`` has the whole of it.
DECLARE: Final = "declare them with a dataset message: lineage-tt ingest FILE (form: lineage-tt schema dataset-change)"
#: Problems that only say what else is known of a task.
_UNTRACED: Final = ("untraced-read", "untraced-write")


def line(found: Completeness, where: str = "on the way") -> str | None:
    """Return the line that an incomplete answer ends with, None for a complete one.

    ``where`` says what the tasks have to do with the answer.
    """
    if found.complete:
        return _rejected(found) or None
    parts = []
    if found.tasks:
        parts.append(f"{_counted(found, where)}{_why(found)}")
    if found.ends:
        nodes = [end.node for end in found.ends]
        what = "the walk ends for want of knowledge at"
        parts.append(f"{what} {_listed(nodes, found.ends_omitted)} ({found.ends[0].detail})")
    if found.by_star:
        steps = "1 step assumes a column name" if found.by_star == 1 else f"{found.by_star} steps assume column names"
        parts.append(f"{steps} (by star)")
    return "; ".join(["incomplete: " + "; ".join(parts), *filter(None, [_rejected(found)])])


def _rejected(found: Completeness) -> str:
    """Return how many edges were left out, nothing for none."""
    if not found.rejected:
        return ""
    edges = "1 edge that is" if found.rejected == 1 else f"{found.rejected:,} edges that are"
    return f"left out: {edges} rejected by hand, listed by lineage-tt edge list"


def _counted(found: Completeness, where: str) -> str:
    total = len(found.tasks) + found.tasks_omitted
    coverages = {task.coverage for task in found.tasks}
    if total == 1:
        return f"task {found.tasks[0].task_id} {where} is {found.tasks[0].coverage}"
    how = coverages.pop() if len(coverages) == 1 and not found.tasks_omitted else "partial or opaque"
    return f"{total:,} tasks {where} are {how}"


def _why(found: Completeness) -> str:
    reasons = [reason for task in found.tasks for reason in task.reasons]
    unknown = found.undeclared
    others = [r for r in reasons if r.code not in (UNKNOWN_COLUMNS, *_UNTRACED)]
    others = others or [r for r in reasons if r.code in _UNTRACED]
    words = []
    if unknown:
        words.append(f"columns of {_listed(unknown)} are unknown; {DECLARE}")
    if others and not unknown:
        words.append(in_words(others[0]))
    more = len({(r.code, r.detail) for r in others}) - (0 if unknown else 1)
    if more > 0:
        words.append(f"{more:,} other {'reason' if more == 1 else 'reasons'}, shown by lineage-tt tasks --format json")
    return ": " + "; ".join(words) if words else ""


def in_words(reason: Reason) -> str:
    """Return a reason in words; one without words is named by its code."""
    return reason.detail or reason.code


def _listed(names: Sequence[str], omitted: int = 0) -> str:
    """Return the first names, and how many more there are."""
    more = len(names) + omitted - min(len(names), MAX_NAMED)
    return ", ".join(names[:MAX_NAMED]) + (f" and {more:,} more" if more > 0 else "")
