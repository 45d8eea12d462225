"""What all formats share: escaped names, and the verdict in words."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from lineage_tt.impact.report import (
    ADDITIVE,
    BREAKING,
    NONE,
    POTENTIALLY,
    UNKNOWN,
    Finding,
    GroupReach,
    Report,
    TaskImpact,
)
from lineage_tt.model.names import first_lines, shown

TITLES: Final = {
    BREAKING: "breaking",
    POTENTIALLY: "potentially breaking",
    ADDITIVE: "additive",
    NONE: "no impact",
    UNKNOWN: "unknown",
}
#: The order of the counts in a summary.
COUNTED: Final = (BREAKING, UNKNOWN, POTENTIALLY, ADDITIVE, NONE)
_SPECIAL: Final = str.maketrans({char: f"\\{char}" for char in "\\`*_{}[]()#+!|~>"})


def md(text: object) -> str:
    """Return text that Markdown shows literally: without markup, HTML, mentions or line breaks."""
    plain = html.escape(shown(" ".join(str(text).split())), quote=False).translate(_SPECIAL)
    return plain.replace("@", "@\u200b")


def code(text: object) -> str:
    """Return any text as a code span that is safe in a table."""
    plain = shown(" ".join(str(text).split())).replace("|", "\\|").replace("`", "ˋ")
    return f"`{plain}`" if plain else ""


def verdict_line(report: Report) -> str:
    """Return the verdict as one sentence."""
    count = report.counts
    if report.verdict == BREAKING:
        return f"{_of(count[BREAKING], count)} {_s('break', count[BREAKING])} what others read"
    if report.verdict == UNKNOWN:
        return f"{_of(count[UNKNOWN], count)} cannot be judged"
    if report.verdict == POTENTIALLY:
        return f"{_of(count[POTENTIALLY], count)} {_s('change', count[POTENTIALLY])} what data means"
    if report.verdict == ADDITIVE:
        return "something is added; no known reader is affected"
    return "nothing that is read changes" if count["tasks"] else "no task changes"


def group_words(group: GroupReach) -> str:
    """Return how much of a group is reached, and at what distance."""
    counts = {"dataset": group.datasets, "column": group.columns, "task": group.tasks, "step": group.steps}
    return ", ".join(f"{number:,} {word}{'s' * (number != 1)}" for word, number in counts.items())


def counts_line(report: Report) -> str:
    """Return the counts of tasks by class, of readers and of labels."""
    count = report.counts
    words = [f"{count[name]} {TITLES[name]}" for name in COUNTED if count[name]]
    words.append(f"{count['readers']} dataset{'s' * (count['readers'] != 1)} downstream")
    if unseen := count.get("unknown_to_store"):
        words.append(f"{unseen} changed, unknown to the store")
    if unmapped := count.get("unmapped"):
        words.append(f"{unmapped} changed .sql file{'s' * (unmapped != 1)} not judged")
    edges = f"edges +{count['edges_added']} −{count['edges_removed']} ~{count['edges_changed']}"
    return ", ".join([*words, edges, *([f"{count['labels']} label reaches"] if count["labels"] else [])])


def _of(number: int, count: Mapping[str, int]) -> str:
    return f"{number} of {count['tasks']} tasks" if count["tasks"] != 1 else "the task"


def _s(verb: str, number: int) -> str:
    return verb if number != 1 else f"{verb}s"


def worst_findings(report: Report, most: int = 3) -> Sequence[Finding]:
    """Return the findings to show first: by class, then those that concern a node with a priority."""
    return [finding for finding in report.findings if not finding.allowed][:most]


def column_words(task: TaskImpact, most: int = 6) -> str:
    """Return a task's column changes in a few words."""
    marks = {"added": "+", "removed": "−", "type": "type ", "meaning": "~", "moved": "⇄ "}
    words = [
        f"{c.before} → {c.after}"
        if c.change == "renamed"
        else f"{c.column}: {c.before} → {c.after}"
        if c.change == "type"
        else f"{marks[c.change]}{c.column}"
        for c in task.columns
    ]
    return ", ".join(words[:most]) + (f", … {len(words) - most} more" if len(words) > most else "")


def reason_lines(task: TaskImpact, most: int = 5) -> Sequence[str]:
    """Return a task's first reasons; the last one counts those that are left out."""
    return first_lines(task.reasons, most, "--format json")


def path_words(path: Iterable[str]) -> str:
    """Return a path as text."""
    return " → ".join(path)


def unmapped_line(report: Report) -> str:
    """Return the line that says which changed SQL files were not judged, and why."""
    count = len(report.unmapped)
    files, match, were = ("files", "match", "were") if count != 1 else ("file", "matches", "was")
    return f"{count} changed .sql {files} {match} no path rule and {were} not judged: map them in impact.toml"


def not_judged(path: str) -> str:
    """Return the words that say of one changed SQL file that it was not judged, and why."""
    return f"{shown(path)} matches no path rule and was not judged: map it in impact.toml"


def place_words(finding: Finding) -> str:
    """Return a finding's file, line, and, if known, column."""
    column = f":{finding.column}" if finding.line and finding.column else ""
    return f"{finding.file}:{finding.line or 1}{column}"


def incomplete_line(report: Report) -> str | None:
    """Return which tasks of the release and downstream of it are not complete, None if all are complete."""
    tasks = report.completeness.get("tasks", ())
    total = len(tasks) + int(report.completeness.get("tasks_omitted", 0))
    if not total:
        return None
    named = ", ".join(f"{task['task_id']} ({task['coverage']})" for task in tasks[:5])
    more = f" and {total - 5} more" if total > 5 else ""
    return f"incomplete: what is known of {named}{more} is not complete"


def basis_line(report: Report) -> str:
    """Return the line that names the basis of the prediction."""
    basis = report.basis
    return f"basis: version {basis['version']}, valid at {basis['valid_at']}; effective at {report.effective_at}"
