"""The formats of a report, for people and programs; each is a pure function of the report."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

from lineage_tt.impact.report import Report

#: Each format and the module of this package that writes it.
FORMATS: Final = ("text", "markdown", "json", "sarif", "junit", "mermaid", "html", "gitlab")


def rendered(report: Report, form: str) -> str:
    """Return the report in one of ``FORMATS``, ending in a newline."""
    write: Callable[[Report], str] = import_module(f"lineage_tt.impact.render.{form}_page").page
    return write(report)
