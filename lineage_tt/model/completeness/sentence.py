"""What an answer does not know, as one line of text; text pages, notebooks and reports share it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lineage_tt.model.completeness.summary import MAX_NAMED, UNKNOWN_COLUMNS, Completeness, Reason

#: How users declare columns; ``docs/how-to/declare-columns-and-facts.md`` has the details.
DECLARE: Final = "declare them with a dataset message: lineage-tt ingest FILE (form: lineage-tt schema dataset-change)"
#: Problems that only add what else is known about a task.
_UNTRACED: Final = ("untraced-read", "untraced-write")


def line(answer: Completeness, where: str = "on the way") -> str | None:
    """Return the line that an incomplete answer ends with, None for a complete one.

    ``where`` says how the tasks relate to the answer.
    """
    if answer.complete:
        return _rejected(answer) or None
    parts = []
    if answer.tasks:
        parts.append(f"{_counted(answer, where)}{_why(answer)}")
    if answer.ends:
        nodes = [end.node for end in answer.ends]
        what = "the walk ends for want of knowledge at"
        parts.append(f"{what} {_listed(nodes, answer.ends_omitted)} ({answer.ends[0].detail})")
    if answer.by_star:
        steps = "1 step assumes a column name" if answer.by_star == 1 else f"{answer.by_star} steps assume column names"
        parts.append(f"{steps} (by star)")
    return "; ".join(["incomplete: " + "; ".join(parts), *filter(None, [_rejected(answer)])])


def _rejected(answer: Completeness) -> str:
    """Return a phrase with the number of edges left out; an empty text for none."""
    if not answer.rejected:
        return ""
    edges = "1 edge that is" if answer.rejected == 1 else f"{answer.rejected:,} edges that are"
    return f"left out: {edges} rejected by hand, listed by lineage-tt edge list"


def _counted(answer: Completeness, where: str) -> str:
    total = len(answer.tasks) + answer.tasks_omitted
    coverages = {task.coverage for task in answer.tasks}
    if total == 1:
        return f"task {answer.tasks[0].task_id} {where} is {answer.tasks[0].coverage}"
    how = coverages.pop() if len(coverages) == 1 and not answer.tasks_omitted else "partial or opaque"
    return f"{total:,} tasks {where} are {how}"


def _why(answer: Completeness) -> str:
    reasons = [reason for task in answer.tasks for reason in task.reasons]
    unknown = answer.undeclared
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
    """Return the first names as text, and the number of the others."""
    more = len(names) + omitted - min(len(names), MAX_NAMED)
    return ", ".join(names[:MAX_NAMED]) + (f" and {more:,} more" if more > 0 else "")
