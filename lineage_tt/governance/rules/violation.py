"""A violation of a rule, and the rules there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from lineage_tt.governance.rules.settings import Settings

if TYPE_CHECKING:
    from lineage_tt.governance.rules.tables import Tables

Severity = Literal["error", "warning", "info"]


class Breach(NamedTuple):
    """What breaks a rule: the subject (a dataset or ``task:ID``), others that it concerns, words, tasks."""

    subject: str
    others: tuple[str, ...]
    detail: str
    tasks: tuple[str, ...] = ()


class Rule(NamedTuple):
    """A rule: its name, how bad a violation is by default, what it says, and what it is called elsewhere."""

    name: str
    severity: Severity
    words: str
    also: str
    check: Callable[[Tables, Settings], Iterator[Breach]]


class Violation(NamedTuple):
    """A violation at a point; ``allowed`` is the reason of the allow-list, ``expired`` an allowance that ended."""

    rule: str
    severity: str
    subject: str
    others: tuple[str, ...]
    detail: str
    tasks: tuple[str, ...]
    owners: tuple[str, ...]
    allowed: str | None = None
    expired: str | None = None

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        """What makes it the same violation at two points."""
        return self.rule, self.subject, self.others

    def to_json(self) -> dict[str, Any]:
        """Return it as an object."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self._asdict().items()}


SEVERITIES: Final = ("error", "warning", "info")
