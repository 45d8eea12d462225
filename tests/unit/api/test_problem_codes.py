"""The page of the HTTP API lists every code of an error that the code names, at its status."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "reference" / "http-api.md"
RAISED = ("Problem", "Refused")


def codes() -> Iterator[tuple[int, str]]:
    """Yield status and code of each problem that a module of the service makes with both in plain sight."""
    for file in sorted((ROOT / "lineage_tt" / "api").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED:
                match node.args:
                    case [ast.Constant(value=int(status)), ast.Constant(value=str(code)), *_]:
                        yield status, code


def listed() -> set[tuple[int, str]]:
    """Return the pairs of status and code in the page's table."""
    rows = re.findall(r"^\| (\d{3}(?:, \d{3})*) \| (`.*) \|$", PAGE.read_text(), re.MULTILINE)
    return {
        (int(status), code)
        for statuses, names in rows
        for status in statuses.split(", ")
        for code in re.findall(r"`([a-z-]+)`", names)
    }


@pytest.mark.parametrize(("status", "code"), sorted(set(codes())))
def test_the_page_lists_the_code_of_every_problem(status: int, code: str) -> None:
    """A program that reads the page knows what it may get."""
    assert (status, code) in listed()


def test_problems_are_read_from_the_code() -> None:
    """A renamed class would leave the test above without cases."""
    assert {(503, "no-parser"), (404, "unknown-scene"), (413, "too-large")} <= set(codes())
