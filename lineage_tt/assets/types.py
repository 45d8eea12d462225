"""Asset types: ``assets.toml`` defines kinds of things, how to recognize them, and what may feed what. Pure.

    [types.board]
    parent = "dashboard"              # one of the built-in types, or another of your own
    identity = ["bi:board/*"]         # patterns of nodes: * and ?; the first type that fits, in the order of the file
    icon = "chart"
    fed_by = ["table", "view"]        # types that may feed it, theirs below included; left out: all
    feeds = []                        # types that it may feed

A type that a fact or a register names but the file does not define is accepted, and listed as unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import translate
from functools import cached_property
from typing import Any, Final, NamedTuple

import orjson

from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.storage.toml_files import parse_toml

#: The built-in types: every other type is below one of them, or has no parent.
BUILT_IN: Final = (
    "table", "view", "topic", "file", "dashboard", "metric", "model", "api", "application", "task", "sub-task",
)  # fmt: skip
#: The key of the fact that states the type of a node.
ASSET_TYPE: Final = "asset_type"
MAX_TYPES: Final = 1000
MAX_PATTERNS: Final = 100
MAX_LENGTH: Final = 200
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_ICON: Final = re.compile(r"[\w .:/+-]{1,64}")
#: How built-in types are recognized if no identity in the file matches.
_DEFAULTS: Final = (
    ("task", re.compile(r"task:")), ("topic", re.compile(r"(?:kafka|pulsar|kinesis|pubsub|rabbitmq)\b")),
    ("file", re.compile(r"(?:file|s3[an]?|gs|hdfs|abfss?|wasbs?|oss|cosn?|ftp|sftp)(?::|$)")),
    ("dashboard", re.compile(r"(?:bi|tableau|looker|superset|metabase|powerbi)\b|dbt:exposure\.")),
    ("metric", re.compile(r"dbt:metric\.")), ("api", re.compile(r"(?:https?|api|grpc)\b")),
)  # fmt: skip


class AssetType(NamedTuple):
    """A kind of thing; ``feeds`` and ``fed_by`` are the types to which an edge may lead, or from which; None: all."""

    name: str
    parent: str | None = None
    identity: tuple[str, ...] = ()
    icon: str | None = None
    feeds: tuple[str, ...] | None = None
    fed_by: tuple[str, ...] | None = None


class AssetTypes:
    """The types of a store at a point: the built-in ones and those of its file, in the order of the file."""

    def __init__(self, stated: Sequence[AssetType] = ()) -> None:
        self._stated = {each.name: each for each in stated}
        self._all = {name: AssetType(name) for name in BUILT_IN} | self._stated

    @classmethod
    def parse(cls, data: bytes, name: str = "assets.toml") -> AssetTypes:
        """Return the types in a file. Raises InvalidRequestError, which says what is wrong and where."""
        document = parse_toml(data, name)
        tables = document.pop("types", {})
        if document:
            raise InvalidRequestError(f"{name}: there is no table {next(iter(document))!r}", hint="write [types.NAME]")
        if not isinstance(tables, dict) or len(tables) > MAX_TYPES:
            raise InvalidRequestError(
                f"{name}: types is not a table of at most {MAX_TYPES} types", hint="write [types.NAME]"
            )
        result = cls([_type(word, table, f"{name}: types.{word}") for word, table in tables.items()])
        result._check(name)
        return result

    @classmethod
    def unpack(cls, packed: str) -> AssetTypes:
        """Return the types that ``pack`` was called on."""
        stated = [
            AssetType(name, parent, tuple(identity), icon, _tuple(feeds), _tuple(fed_by))
            for name, parent, identity, icon, feeds, fed_by in orjson.loads(packed)
        ]
        return cls(stated)

    def pack(self) -> str:
        """Return the types of the file as JSON: equal files give equal texts."""
        return orjson.dumps([list(each) for each in self._stated.values()]).decode()

    def __iter__(self) -> Iterator[AssetType]:
        return iter(self._all.values())

    def __contains__(self, name: object) -> bool:
        return name in self._all

    def get(self, name: str) -> AssetType:
        """Return a type; an unknown type has only a name."""
        return self._all.get(name) or AssetType(name)

    def type_of(self, node: str) -> str:
        """Return the type of a node by its name: by the first matching identity, else a built-in rule, else table."""
        for name, pattern in self._identities:
            if pattern.match(node):
                return name
        return next((name for name, pattern in _DEFAULTS if pattern.match(node)), "table")

    @cached_property
    def _identities(self) -> list[tuple[str, re.Pattern[str]]]:
        return [
            (each.name, re.compile("|".join(map(translate, each.identity))))
            for each in self._stated.values()
            if each.identity
        ]

    def line(self, name: str) -> tuple[str, ...]:
        """Return a type and the types above it, the nearest first."""
        result = [name]
        while (parent := self.get(result[-1]).parent) is not None and parent not in result:
            result.append(parent)
        return tuple(result)

    def icon(self, name: str) -> str | None:
        """Return the icon of a type, or of the nearest type above it that has one."""
        return next((icon for each in self.line(name) if (icon := self.get(each).icon)), None)

    def allows(self, source: str, target: str) -> bool:
        """Return whether things of one type may feed those of another: the nearest type with a rule decides."""
        to, of = set(self.line(target)), set(self.line(source))
        feeds = next((feeding for each in self.line(source) if (feeding := self.get(each).feeds) is not None), None)
        fed_by = next((feeding for each in self.line(target) if (feeding := self.get(each).fed_by) is not None), None)
        return (feeds is None or not to.isdisjoint(feeds)) and (fed_by is None or not of.isdisjoint(fed_by))

    def _check(self, file: str) -> None:
        for each in self._stated.values():
            for word, names in (("parent", [each.parent]), ("feeds", each.feeds or ()), ("fed_by", each.fed_by or ())):
                for name in names:
                    if name is not None and name not in self._all:
                        raise InvalidRequestError(
                            f"{file}: types.{each.name}.{word}: there is no type {name!r}",
                            hint=f"use {', '.join(self._all)}"[:1000],
                        )
            line = [each.name]
            while (parent := self.get(line[-1]).parent) is not None:
                if parent in line:
                    raise InvalidRequestError(
                        f"{file}: types.{each.name} is above itself: {' → '.join([*line, parent])}",
                        hint="give one of them another parent",
                    )
                line.append(parent)


def _type(name: str, table: Any, where: str) -> AssetType:
    if not _NAME.fullmatch(name):
        raise _wrong(where, "the name of a type", "small letters, digits, - and _, at most 64")
    if not isinstance(table, Mapping):
        raise _wrong(where, "not a table", "[types.NAME]")
    for key in table:
        if key not in AssetType._fields[1:]:
            raise _wrong(f"{where}.{key}", "not known", ", ".join(AssetType._fields[1:]))
    parent, icon = table.get("parent"), table.get("icon")
    if parent is not None and (not isinstance(parent, str) or name in BUILT_IN):
        raise _wrong(f"{where}.parent", "not a type's name, or the type is a built-in one", "leave it out, or a name")
    if icon is not None and not (isinstance(icon, str) and _ICON.fullmatch(icon)):
        raise _wrong(f"{where}.icon", "no word", "letters and digits, at most 64")
    lists = {key: _words(table.get(key), f"{where}.{key}") for key in ("identity", "feeds", "fed_by")}
    return AssetType(name, parent, lists["identity"] or (), icon, lists["feeds"], lists["fed_by"])


def _words(texts: Any, where: str) -> tuple[str, ...] | None:
    if texts is None:
        return None
    known = isinstance(texts, list) and len(texts) <= MAX_PATTERNS
    if not known or not all(isinstance(each, str) and 0 < len(each) <= MAX_LENGTH for each in texts):
        raise _wrong(where, "not a list of texts", f"at most {MAX_PATTERNS} of at most {MAX_LENGTH} characters")
    return tuple(texts)


def _wrong(where: str, what: str, hint: str) -> InvalidRequestError:
    return InvalidRequestError(f"{where} is {what}", hint=f"give {hint}")


def _tuple(texts: list[str] | None) -> tuple[str, ...] | None:
    return None if texts is None else tuple(texts)
