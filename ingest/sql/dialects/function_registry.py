"""``functions.toml``: what functions do that SQL texts call and the extractor cannot look into.

    [[function]]
    name = "udf.mask_phone"      # as it is called; a name with a dot fits calls that say no schema, too
    dialect = "spark"            # without it: every dialect
    values = [1]                 # arguments that give the value, from 1 (default: those that do not decide)
    decides = [2]                # arguments that decide which value comes, and give none
    aggregate = false            # whether one value is made of many rows'
    masks = true                 # the result shows nothing of its values: no label goes along

    [[function]]
    name = "split_order"
    columns = ["id", "amount"]   # of a table function; or { id = [1], amount = [1, 2] }: the arguments of each

The file is the one that LINEAGE_TT_FUNCTIONS names, else ``functions.toml`` in the working directory, read once by each
process. What it says is part of the parser's name: after a change ``re-extract`` parses again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from ingest.sql.dialects.names import canonical, is_known, nearest
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.names import meaning
from lineage_tt.storage.toml_files import read_toml

#: The environment variable that names the file, and its name in the working directory.
VARIABLE: Final = "LINEAGE_TT_FUNCTIONS"
FILE_NAME: Final = "functions.toml"
MAX_FUNCTIONS: Final = 10_000
MAX_PLACE: Final = 255
_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*){0,3}")
_KEYS: Final = ("name", "dialect", "values", "decides", "aggregate", "masks", "columns")
#: What is written like calls and is read as something else, in every dialect.
_NO_CALLS: Final = frozenset({"case", "cast", "try_cast"})
_HINT: Final = "see docs/reference/functions.md for its fields"


@dataclass(frozen=True, slots=True)
class Function:
    """One function: places count from 0; ``columns`` are a table function's, each with the places it comes from."""

    name: str
    dialect: str = ""
    values: tuple[int, ...] | None = None
    decides: tuple[int, ...] = ()
    aggregate: bool = False
    masks: bool = False
    columns: tuple[tuple[str, tuple[int, ...] | None], ...] = ()

    def gives(self, place: int) -> bool:
        """Whether the argument at a place gives the value."""
        return place not in self.decides if self.values is None else place in self.values


@dataclass(frozen=True, slots=True)
class Registry:
    """The functions of a file, by the last part of their names in lower case."""

    by_last_part: dict[str, tuple[Function, ...]]

    def find(self, name: str, dialect: str) -> Function | None:
        """Return what is registered of a called name; one of its dialect comes before one of all dialects."""
        called = name.lower()
        fitting = [
            function
            for function in self.by_last_part.get(called.rpartition(".")[2], ())
            if function.dialect in ("", dialect) and _fits(function.name, called)
        ]
        return max(fitting, key=lambda function: (function.dialect != "", len(function.name)), default=None)


def _fits(registered: str, called: str) -> bool:
    """Whether a call may be of a function: what both names say of the schema must be the same."""
    longer, shorter = (called, registered) if len(called) > len(registered) else (registered, called)
    return longer == shorter or longer.endswith("." + shorter)


def load(path: Path) -> str:
    """Return the functions of a file as one text, which ``registry_of`` reads; "" where it names none.

    Raises InvalidRequestError, with the place in the file, for what is wrong in it.
    """
    document = read_toml(path, "the functions of")
    for key in document:
        if key != "function":
            raise InvalidRequestError(
                f"{path}: {key}: there is no such table", hint="functions are [[function]] tables"
            )
    tables = document.get("function", [])
    if not isinstance(tables, list) or not all(isinstance(item, dict) for item in tables):
        raise InvalidRequestError(f"{path}: function is not a list of tables", hint="begin each with [[function]]")
    if len(tables) > MAX_FUNCTIONS:
        raise InvalidRequestError(f"{path}: more than {MAX_FUNCTIONS:,} functions", hint="give fewer functions")
    functions: dict[tuple[str, str], dict[str, Any]] = {}
    for place, item in enumerate(tables):
        where = f"{path}: function {place + 1}"
        checked = _checked(item, where)
        called = checked["name"], checked["dialect"]
        if called in functions:
            raise InvalidRequestError(f"{where}: {item['name']} is listed twice", hint="give each function once")
        functions[called] = checked
    return json.dumps([functions[called] for called in sorted(functions)], separators=(",", ":")) if functions else ""


def _checked(item: dict[str, Any], where: str) -> dict[str, Any]:
    """Return one function with all its fields, places counted from 0."""
    for key in item:
        if key not in _KEYS:
            raise InvalidRequestError(f"{where}: there is no field {key!r}", hint=f"fields are {', '.join(_KEYS)}")
    name = item.get("name")
    if not isinstance(name, str) or _NAME.fullmatch(name) is None:
        raise InvalidRequestError(f"{where} has no valid name", hint='say name = "schema.function"')
    where = f"{where} ({name})"
    dialect = item.get("dialect", "")
    if not isinstance(dialect, str) or not is_known(dialect):
        near = nearest(dialect) if isinstance(dialect, str) else None
        raise InvalidRequestError(f"{where}: there is no dialect {dialect!r}", hint=meaning(near, "") or _HINT)
    values, decides = (_places(item[key], f"{where}: {key}") if key in item else None for key in ("values", "decides"))
    if both := set(values or ()) & set(decides or ()):
        raise InvalidRequestError(f"{where}: argument {min(both) + 1} is in values and in decides", hint=_HINT)
    for key in ("aggregate", "masks"):
        if not isinstance(item.get(key, False), bool):
            raise InvalidRequestError(f"{where}: {key} is neither true nor false", hint=_HINT)
    columns = _columns(item.get("columns", []), where)
    _check_effects(item, columns, where)
    return {
        "name": name.lower(),
        "dialect": canonical(dialect),
        "values": values,
        "decides": decides or [],
        "aggregate": item.get("aggregate", False),
        "masks": item.get("masks", False),
        "columns": columns,
    }


def _check_effects(item: dict[str, Any], columns: list[list[Any]], where: str) -> None:
    """Raise InvalidRequestError for fields of a function that contradict one another: one would have no effect."""
    if item["name"].lower() in _NO_CALLS:
        raise InvalidRequestError(
            f"{where}: {item['name']} is part of the language, and no call of a function",
            hint="leave it out: its lineage is known",
        )
    if item.get("aggregate") and (item.get("masks") or columns):
        other, why = ("masks", "nothing of the values shows") if item.get("masks") else ("columns", "rows are made")
        raise InvalidRequestError(
            f"{where}: aggregate has no effect with {other}, where {why}", hint=f"leave out aggregate or {other}"
        )
    if item.get("values") and columns and all(places is not None for _, places in columns):
        raise InvalidRequestError(
            f"{where}: values has no effect where columns gives the places of each column",
            hint="leave out values, or the places in columns",
        )


def _places(value: Any, where: str) -> list[int]:
    """Return places counted from 0; each must be a whole number from 1 on, and given once."""
    if not isinstance(value, list) or not all(type(place) is int and 1 <= place <= MAX_PLACE for place in value):
        raise InvalidRequestError(f"{where} is not a list of places from 1 to {MAX_PLACE}", hint="say [1, 2]")
    if len(set(value)) < len(value):
        raise InvalidRequestError(f"{where} names a place twice", hint="give each place once")
    return sorted(place - 1 for place in value)


def _columns(value: Any, where: str) -> list[list[Any]]:
    """Return the columns of a table function, each with its arguments or None for all that give values."""
    columns: list[tuple[Any, list[int] | None]] | None = None
    if isinstance(value, list):
        columns = [(name, None) for name in value]
    if isinstance(value, dict):
        columns = [(name, _places(places, f"{where}: columns.{name}")) for name, places in value.items()]
    if columns is None or not all(isinstance(name, str) and name.strip() for name, _ in columns):
        raise InvalidRequestError(f"{where}: columns is not a list of names", hint='say columns = ["id", "amount"]')
    if len({name.lower() for name, _ in columns}) < len(columns):
        raise InvalidRequestError(f"{where}: columns has a name twice", hint="give each column once")
    return [[name, places] for name, places in columns]


@lru_cache(8)
def registry_of(text: str) -> Registry:
    """Return the functions that ``load`` put into one text."""
    by_name: dict[str, list[Function]] = {}
    for item in json.loads(text) if text else ():
        columns = tuple((name, None if places is None else tuple(places)) for name, places in item["columns"])
        values = None if item["values"] is None else tuple(item["values"])
        function = Function(**item | {"values": values, "decides": tuple(item["decides"]), "columns": columns})
        by_name.setdefault(function.name.rpartition(".")[2], []).append(function)
    return Registry({name: tuple(functions) for name, functions in by_name.items()})


@cache
def current() -> str:
    """Return this process's functions as one text, "" where there is no file. Raises as ``load``."""
    named = os.environ.get(VARIABLE)
    if named:
        return load(Path(named))
    return load(Path(FILE_NAME)) if Path(FILE_NAME).is_file() else ""


def fingerprint(text: str) -> str:
    """Return what the parser's name says of the functions: "" where there are none."""
    return f", functions {hashlib.sha256(text.encode()).hexdigest()[:12]}" if text else ""
