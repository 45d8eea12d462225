"""SQL inside another file: in ``task.yaml`` under ``sql``, or after the front matter of a ``.sql`` file.

``relocated`` maps findings back to the lines and columns of that file, since texts may be rewritten before parsing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.report import Finding, Report
from lineage_tt.model.errors import InvalidRequestError

#: YAML between two lines of three dashes at the beginning of a file; a SQL comment also begins with two dashes.
_FRONT: Final = re.compile(r"\A---[ \t]*\r?\n((?:(?!--).*\r?\n)*?)---[ \t]*\r?(?:\n|\Z)")
_KEY: Final = re.compile(r"^\s*\w[\w-]*\s*:", re.MULTILINE)


def is_text(sql: str) -> bool:
    """Return whether the value of ``sql`` is SQL itself and not the name of a file."""
    return not sql.lower().endswith(".sql") and bool(re.search(r"\s", sql.strip()))


def front_matter(text: str) -> tuple[str, str]:
    """Return the YAML in front of a text ("" where there is none), and the text with blank lines in its place."""
    match = _FRONT.match(text)
    if match is None or not _KEY.search(match[1]):
        return "", text
    return match[1], "\n" * match[0].count("\n") + text[match.end() :]


def texts_in(document: str) -> Iterator[tuple[int, str]]:
    """Yield, for each text under ``sql`` in a ``task.yaml``, its first line and the document with the rest blanked."""
    import yaml

    lines = document.split("\n")
    root = yaml.compose(document, Loader=yaml.SafeLoader)
    tasks = [root]
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if key.value == "tasks" and isinstance(value, yaml.SequenceNode):
            tasks = value.value
    for task in tasks:
        for key, value in task.value if isinstance(task, yaml.MappingNode) else ():
            if key.value == "sql" and isinstance(value, yaml.ScalarNode):
                start, end = value.start_mark.line, max(value.end_mark.line, value.start_mark.line + 1)
                first = start + 1 if value.style in ("|", ">") else start
                blanked = [line if first <= place < end else "" for place, line in enumerate(lines)]
                yield first + 1, "\n".join(blanked)


def plain(context: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """Return the fields of a task's context that YAML sets."""
    return {key: value for key, value in context.items() if key in names}


def refuse_unknown(given: dict[str, Any], known: frozenset[str], path: str) -> None:
    """Raise InvalidRequestError for the first key that is not known, with the known key that is like it."""
    unknown = sorted(str(key) for key in given.keys() - known)
    if unknown:
        from ingest.messages.wording import nearest

        raise InvalidRequestError(
            f"{path}: unknown key {unknown[0]!r}{nearest(unknown[0], known)}",
            hint=f"known are {', '.join(sorted(known))}",
        )


def check_fields(task: dict[str, Any], path: str) -> None:
    """Raise InvalidRequestError for a field of a task in YAML whose value is not of its type."""
    for name, value in task.items():
        if value is None:
            continue
        if name == "owners":
            fits = isinstance(value, str) or (isinstance(value, list) and all(isinstance(each, str) for each in value))
        else:
            fits = isinstance(value, dict if name == "params" else str)
        if not fits:
            what = {"owners": "a list of texts", "params": "a mapping"}.get(name, "text")
            raise InvalidRequestError(f"{path}: {name} is not {what}", hint="put a value into quotes to make it text")


def relocated(report: Report, candidates: Iterable[Candidate]) -> Report:
    """Return the report with the positions of findings in the original files."""
    moved = {each.task_id: each for each in candidates if each.original is not None or each.line > 1}
    if not moved:
        return report
    return replace(report, findings=tuple(_placed(each, moved.get(each.task)) for each in report.findings))


def _placed(finding: Finding, candidate: Candidate | None) -> Finding:
    from ingest.sql.text.original_places import original_place

    if candidate is None or finding.file != candidate.path:
        return finding
    if finding.line is None or candidate.original is None or candidate.sql is None:
        return replace(finding, line=finding.line or candidate.line)
    line, column = original_place(candidate.sql, candidate.original, finding.line, finding.column)
    return replace(finding, line=line, column=column)
