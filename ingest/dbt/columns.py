"""Columns of relations in the spelling of lineage: as a catalog has them, and as a project's files call them.

A catalog has names as the warehouse holds them, in their exact case. Tests and contracts write a name as in SQL:
without quotes, in any case. A name that is not plain, or has ``quote: true``, is meant exactly as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeGuard

from ingest.sql.dialects import spelling
from ingest.sql.dialects.dialects import Names

#: dbt's adapters that write catalogs in lower case, whatever the case in the warehouse.
_IN_LOWER_CASE: Final = frozenset(["oracle"])
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9$]*")


class Columns:
    """The columns of all relations of a project, as far as its catalog has them."""

    def __init__(self, names: Names, adapter: str) -> None:
        self._names = names
        self._is_lowered = adapter.lower() in _IN_LOWER_CASE
        self._known: dict[str, dict[str, list[str]]] = {}

    def learn(self, dataset: str, cataloged: Mapping[str, Any]) -> None:
        """Note the columns that the catalog lists for a dataset."""
        known = self._known.setdefault(dataset, {})
        for name in _names(cataloged.values()):
            spelt = self.of_catalog(name)
            known.setdefault(spelt.lower(), []).append(spelt)

    def of_catalog(self, name: str) -> str:
        """Return, in the spelling of lineage, a name as a catalog writes it."""
        return self._unquoted(name) if self._is_lowered else spelling.column(self._names, name)

    def of_project(self, dataset: str | None, name: str, *, quoted: bool = False) -> str:
        """Return a column that a project's files name, as the catalog spells it, else as the engine reads the name."""
        as_written = spelling.column(self._names, name)
        spelt = as_written if quoted else self._unquoted(name)
        known = self._known.get(dataset or "", {}).get(name.lower(), [])
        return next((each for each in (spelt, as_written) if each in known), known[0] if known else spelt)

    def _unquoted(self, name: str) -> str:
        if not is_plain(name):
            return spelling.column(self._names, name)
        return spelling.unquoted_column(self._names, name)


def is_plain(name: Any) -> TypeGuard[str]:
    """Return whether a value is a name that needs no quotes in any engine."""
    return isinstance(name, str) and _PLAIN.fullmatch(name) is not None


def _names(columns: Iterable[Any]) -> Iterable[str]:
    return (each["name"] for each in columns if isinstance(each, dict) and isinstance(each.get("name"), str))
