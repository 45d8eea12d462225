"""A rule, and a violation of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from lineage_tt.governance.rules.settings import Settings

if TYPE_CHECKING:
    from lineage_tt.governance.rules.tables import Tables

Severity = Literal["error", "warning", "info"]


class Breach(NamedTuple):
    """What breaks a rule: the subject (a dataset or ``task:ID``), other nodes concerned, a description, tasks."""

    subject: str
    others: tuple[str, ...]
    detail: str
    tasks: tuple[str, ...] = ()


class Rule(NamedTuple):
    """A rule: its name, the default severity, its description, and its name in other tools."""

    name: str
    severity: Severity
    words: str
    also: str
    check: Callable[[Tables, Settings], Iterator[Breach]]


class Violation(NamedTuple):
    """A violation at a point; ``allowed`` is the reason in the allow-list, ``expired`` an allowance that ended."""

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
        """The key by which violations at two points are the same."""
        return self.rule, self.subject, self.others

    def to_json(self) -> dict[str, Any]:
        """Return it as an object."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self._asdict().items()}


SEVERITIES: Final = ("error", "warning", "info")
