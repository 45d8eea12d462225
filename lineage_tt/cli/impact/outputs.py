"""Destinations of a report other than standard output: files, and the step summary and outputs of GitHub Actions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lineage_tt.impact.render import FORMATS, rendered
from lineage_tt.impact.report import Report
from lineage_tt.model.errors import InvalidRequestError, UnavailableError

SUMMARY_VARIABLE: Final = "GITHUB_STEP_SUMMARY"
OUTPUT_VARIABLE: Final = "GITHUB_OUTPUT"
#: The formats that show what ``--level`` groups.
LEVELLED: Final = ("text", "markdown", "json")


def read_target(text: str) -> tuple[str, Path]:
    """Return the format and the file of ``FORMAT=FILE``."""
    form, mark, name = text.partition("=")
    if not mark or form not in FORMATS or not name:
        raise InvalidRequestError(f"--write {text!r} is not FORMAT=FILE", hint=f"formats are {', '.join(FORMATS)}")
    return form, Path(name)


def read_targets(texts: Sequence[str]) -> list[tuple[str, Path]]:
    """Return the formats and files of several ``FORMAT=FILE``. InvalidRequestError where two are one file."""
    targets = [read_target(each) for each in texts]
    seen: set[Path] = set()
    for _, path in targets:
        if path.resolve() in seen and (path.is_file() or not path.exists()):  # a terminal or pipe takes several
            raise InvalidRequestError(
                f"two --write name {path}, and the second would replace the first", hint="give each a file of its own"
            )
        seen.add(path.resolve())
    return targets


def forms_of(output: str, targets: list[tuple[str, Path]]) -> set[str]:
    """Return the formats in which a call writes its report: to standard output, to files, and to GitHub's summary."""
    return {output, *(form for form, _ in targets), *(["markdown"] if os.environ.get(SUMMARY_VARIABLE) else [])}


def write_all(report: Report, targets: list[tuple[str, Path]]) -> None:
    """Write the report to files, and to the summary and the outputs of a GitHub step where they exist."""
    for form, path in targets:
        _write(path, rendered(report, form), append=False)
    if summary := os.environ.get(SUMMARY_VARIABLE):
        _write(Path(summary), rendered(report, "markdown"), append=True)
    if outputs := os.environ.get(OUTPUT_VARIABLE):
        _write(Path(outputs), "".join(f"{name}={value}\n" for name, value in step_outputs(report)), append=True)


def step_outputs(report: Report) -> list[tuple[str, str]]:
    """Return the outputs for later steps: the verdict, whether the gate passed, the counts."""
    names = (
        "tasks",
        "breaking",
        "potentially_breaking",
        "additive",
        "none",
        "unknown",
        "findings",
        "readers",
        "labels",
        "unknown_to_store",
        "unmapped",
    )
    counts = [(name, str(report.counts.get(name, 0))) for name in names]
    return [("verdict", report.verdict), ("passed", "true" if report.gate.passed else "false"), *counts]


def _write(path: Path, text: str, *, append: bool) -> None:
    try:
        with path.open("a" if append else "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UnavailableError(f"cannot write {path}: {error.strerror}") from None
