"""The tables of ``governance.toml``, and how an area reads its own: an unknown table or key is an error."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.names import meaning, near_names

#: The areas that have a table.
AREAS: Final = ("labels", "rules", "heat", "redundancy", "quality", "core", "root-cause", "backfill", "permissions")
#: The areas whose tables are accepted, and have no keys so far.
WITHOUT_KEYS: Final = ("heat", "redundancy", "quality", "core", "root-cause", "backfill")


class ConfigTables:
    """The content of a governance file; without a file every area has its defaults."""

    def __init__(self, tables: Mapping[str, Any] | None = None, name: str = "governance.toml") -> None:
        self.name = name
        self._tables = dict(tables or {})
        for area, table in self._tables.items():
            if area not in AREAS:
                raise InvalidRequestError(f"{name}: no area is called {area!r}", hint=_use(area, AREAS))
            if not isinstance(table, dict):
                raise InvalidRequestError(f"{name}: {area} is not a table", hint=f"write [{area}]")

    def table(self, area: str) -> dict[str, Any]:
        """Return an area's table, empty where the file has none."""
        return dict(self._tables.get(area, {}))


def refuse_unknown(table: Mapping[str, Any], known: Mapping[str, type | tuple[type, ...]], where: str) -> None:
    """Raise InvalidRequestError for a key of a table that is not known, or whose value has another type."""
    for key, value in table.items():
        if key not in known:
            raise InvalidRequestError(f"{where}: no key is called {key!r}", hint=_use(key, known))
        expected = known[key]
        is_wrong_bool = isinstance(value, bool) and expected is not bool and bool not in _types(expected)
        if is_wrong_bool or not isinstance(value, expected):
            named = " or ".join(_WORDS.get(each, each.__name__) for each in _types(expected))
            raise InvalidRequestError(
                f"{where}: {key} is {_WORDS.get(type(value), 'no such thing')}", hint=f"give {named}"
            )


def texts_of(table: Mapping[str, Any], key: str, where: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the list of texts under a key. Raises InvalidRequestError for any other value."""
    value = table.get(key, list(default))
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InvalidRequestError(f"{where}: {key} is not a list of texts", hint=f'write {key} = ["one", "two"]')
    return tuple(value)


def _use(name: str, known: Collection[str]) -> str:
    """Return the hint for an unknown name: what was probably meant, and all that there is."""
    use = f"use {', '.join(known)}" if known else "leave it out: this table has no keys so far"
    return f"{meaning(near_names(name, known, any_case=True), '')} {use}".lstrip()


_WORDS: Final = {
    str: "a text", bool: "true or false", int: "a whole number", float: "a number", list: "a list", dict: "a table",
}  # fmt: skip


def _types(expected: type | tuple[type, ...]) -> tuple[type, ...]:
    return expected if isinstance(expected, tuple) else (expected,)
