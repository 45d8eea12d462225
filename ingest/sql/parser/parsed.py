"""What the parser returns for a statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlglot.tokens import Token

from ingest.sql.result import Problem


@dataclass(slots=True)
class Parsed:
    """One statement: its tree, or the problem that it has none; ``tokens`` for a lenient look.

    ``note`` is a reason why the statement's own answer, right as it is, is not the whole one.
    """

    node: Any
    problem: Problem | None
    tokens: list[Token]
    note: Problem | None = None
