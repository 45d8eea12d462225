"""Rules by the name of their dialect: every file in ``families`` is loaded, and its ``DIALECTS`` are known."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from ingest.sql.dialects import families
from ingest.sql.dialects.families.standard import STANDARD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ingest.sql.dialects.rules import Rules


def _declared() -> Iterator[Rules]:
    for module in iter_modules(families.__path__):
        yield from import_module(f"{families.__name__}.{module.name}").DIALECTS


def _by(names: Iterator[tuple[str, Rules]]) -> Mapping[str, Rules]:
    """Return rules by names; ValueError for a name that two dialects have."""
    by_name: dict[str, Rules] = {}
    for name, rules in names:
        if name in by_name:
            raise ValueError(f"two dialects are called {name!r}: {by_name[name].identity} and {rules.identity}")
        by_name[name] = rules
    return MappingProxyType(by_name)


#: Every dialect.
DIALECTS: Final = tuple(_declared())
#: The rules of each dialect by its name and its aliases.
BY_NAME: Final = _by((name, rules) for rules in DIALECTS for name in (rules.name, *rules.identity.aliases))
#: The nearest rules for engines that have none of their own.
SIMILAR: Final = _by((name, rules) for rules in DIALECTS for name in rules.identity.similar)


def find_rules(name: str) -> Rules | None:
    """Return the rules of a dialect by its name, in any case of its letters; None for one that is not known."""
    return BY_NAME.get(name.lower())


def rules_or_standard(name: str) -> Rules:
    """Return the rules of a dialect by its name; those of standard SQL for one that is not known."""
    return BY_NAME.get(name.lower(), STANDARD)


@cache
def fallbacks() -> tuple[str, ...]:
    """Return sqlglot's names of the dialects that something is read as where its own parser fails."""
    return tuple(sorted({name for rules in DIALECTS for name in rules.identity.also_read_as}))
