"""The summary of the messages of one source, as a JSON object and as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import typer

from lineage_tt.cli.calls import Call
from lineage_tt.cli.failures import NEGATIVE
from lineage_tt.model.messages import UNKNOWN_FIELD
from lineage_tt.model.names import shortened, shown

if TYPE_CHECKING:
    from ingest.batches import Summary

#: The maximum number of reasons for incomplete lineage in a text summary.
MAX_PROBLEMS_SHOWN: Final = 3
#: The maximum number of characters of an example in a text summary.
MAX_EXAMPLE: Final = 100


def summary_object(summary: Summary) -> dict[str, Any]:
    """Return the summary of one source as a JSON object."""
    return {
        "source": summary.source,
        "received": summary.received,
        "accepted": summary.accepted,
        "rejected": summary.rejected,
        "duplicates": summary.duplicates,
        "ignored": summary.ignored,
        "superseded": summary.superseded,
        "taken_up": summary.taken_up,
        "waiting": summary.waiting,
        "partial": summary.partial,
        "opaque": summary.opaque,
        "changes": summary.changes,
        "seconds": round(summary.seconds, 3),
        "first_version": summary.first_version,
        "last_version": summary.last_version,
        "reasons": dict(summary.reasons),
        "problems": {
            code: {"messages": count, "example": shown(example)}
            for code, (count, example) in sorted(summary.problems.items())
        },
    }


def end_if_all_rejected(summaries: Iterable[Summary]) -> None:
    """Exit with status 1 if messages were received and all were rejected, in this run or in an earlier one."""
    received = refused = 0
    for summary in summaries:
        received += summary.received
        refused += summary.rejected + min(summary.duplicates, summary.waiting)
    if received == refused > 0:
        raise typer.Exit(NEGATIVE)


def summary_lines(summary: Summary, call: Call) -> list[str]:
    """Return the summary of one source as lines of text."""
    ink = call.ink
    rate = f", {summary.received / summary.seconds:,.0f}/s" if summary.seconds > 0 else ""
    name = "standard input" if summary.source == "-" else summary.source
    return [
        f"{ink.strong(name)}: {summary.received:,} received, {summary.accepted:,} accepted, "
        f"{summary.rejected:,} rejected, {summary.duplicates:,} duplicates, "
        + (f"{summary.ignored:,} ignored, " if summary.ignored else "")
        + f"{summary.changes:,} changes "
        f"({summary.seconds:.1f} s{rate})",
        *summary_notes(summary, call),
    ]


def summary_notes(summary: Summary, call: Call) -> list[str]:
    """Return the lines after the counts of one source: versions, reasons, and hints."""
    ink = call.ink
    lines: list[str] = []
    if summary.first_version is not None:
        one = summary.first_version == summary.last_version
        lines.append(f"  version {summary.first_version}" + ("" if one else f" to {summary.last_version}"))
    lines.extend(f"  {ink.bad(code)}: {number:,}" for code, number in sorted(summary.reasons.items()))
    lines.extend(_without_effect(summary))
    if summary.superseded:
        lines.append(
            f"  {summary.superseded:,} accepted without effect: an earlier message has a greater source_version, or "
            "retracted the same event; see: lineage-tt log"
        )
    if summary.taken_up:
        lines.append(f"  {summary.taken_up:,} of them rejected before and accepted now")
    if summary.waiting:
        lines.append(
            f"  {summary.waiting:,} rejected before and still waiting; when the cause is resolved, or with the right "
            "mapping, run: lineage-tt dead-letters replay --all [--mapping TOML]"
        )
    if summary.rejected:
        lines.append(ink.faint("  rejected messages are kept: lineage-tt dead-letters list"))
    return lines


def _without_effect(summary: Summary) -> Iterator[str]:
    """Yield lines about accepted messages with incomplete lineage, or with fields that had no effect."""
    problems = dict(summary.problems)
    fields, example = problems.pop(UNKNOWN_FIELD, (0, ""))
    if fields:
        yield f"  {fields:,} with an unknown field: {shown(example)}"
    counts = [
        f"{count:,} {coverage}"
        for coverage, count in (("partial", summary.partial), ("opaque", summary.opaque))
        if count
    ]
    if counts:
        yield f"  lineage incomplete at ingest: {', '.join(counts)}; see: lineage-tt tasks"
    common = sorted(problems.items(), key=lambda problem: (-problem[1][0], problem[0]))
    for code, (count, detail) in common[:MAX_PROBLEMS_SHOWN]:
        yield f"    {code}: {count:,}" + (f" ({shortened(shown(detail), MAX_EXAMPLE)})" if detail else "")
    left = len(common) - MAX_PROBLEMS_SHOWN
    if left > 0:
        yield f"    {left} other {'reason' if left == 1 else 'reasons'}: --format json"
