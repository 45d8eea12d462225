"""What an extraction depends on, as one value that crosses process borders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from lineage_tt.model.facts import Shape

#: The datasets whose columns were looked up, each with the answer, None where they were not known.
Lookups = tuple[tuple[str, Shape | None], ...]


class Masking(NamedTuple):
    """What a text must still say when its literals are masked: a digest of its lineage, and the names in it."""

    digest: bytes
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExtractionJob:
    """One SQL text and all that its lineage depends on.

    ``columns`` maps datasets to their columns in order, with the types of those that have parts. ``functions`` is
    ``functions.toml`` as the text that ``function_registry.load`` gives. With ``masking`` the job is to mask the text.
    """

    sql: str
    dialect: str
    namespace: str
    default_database: str = ""
    target: str | None = None
    params: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    columns: Mapping[str, Shape] = field(default_factory=lambda: MappingProxyType({}))
    functions: str = ""
    masking: Masking | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        known = (self.sql, self.dialect, self.namespace, self.default_database, self.target)
        return ExtractionJob, (*known, dict(self.params), dict(self.columns), self.functions, self.masking)
