"""What flows where: source nodes with the ways in which they reach a value, and columns.

A flow is ``{source node: kinds}``, kinds a set of bits. The first three are the DIRECT subtypes, weakest claim last;
the others are INDIRECT. Composing two steps of a path is ``through``: an aggregate of an expression is an aggregate,
anything that only decides about a value stays indirect, however the value is used later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from ingest.sql.render import shorten
from lineage_tt.model.edges import DIRECT, INDIRECT

Flow = dict[str, int]

IDENTITY: Final = 1
TRANSFORMATION: Final = 2
AGGREGATION: Final = 4
CONDITIONAL: Final = 8
WINDOW: Final = 16
JOIN: Final = 32
FILTER: Final = 64
GROUP_BY: Final = 128
SORT: Final = 256

DIRECT_KINDS: Final = IDENTITY | TRANSFORMATION | AGGREGATION
KIND_NAMES: Final = {
    IDENTITY: (DIRECT, "IDENTITY"),
    TRANSFORMATION: (DIRECT, "TRANSFORMATION"),
    AGGREGATION: (DIRECT, "AGGREGATION"),
    CONDITIONAL: (INDIRECT, "CONDITIONAL"),
    WINDOW: (INDIRECT, "WINDOW"),
    JOIN: (INDIRECT, "JOIN"),
    FILTER: (INDIRECT, "FILTER"),
    GROUP_BY: (INDIRECT, "GROUP_BY"),
    SORT: (INDIRECT, "SORT"),
}


def _through(kinds: int, by: int) -> int:
    if by == IDENTITY:
        return kinds
    if by > AGGREGATION:
        return by
    direct = kinds & DIRECT_KINDS
    indirect = kinds & ~DIRECT_KINDS
    if not direct:
        return indirect
    if by == AGGREGATION:
        return indirect | AGGREGATION
    return indirect | (direct & AGGREGATION) | (TRANSFORMATION if direct & (IDENTITY | TRANSFORMATION) else 0)


#: By the bit that a value is used as, and by the kinds of a source that reaches it.
_THROUGH: Final = {by: [_through(kinds, by) for kinds in range(2 * SORT)] for by in KIND_NAMES}


def through(kinds: int, by: int) -> int:
    """Return the kinds of a source that reaches a value with ``kinds`` when that value is used as ``by`` (one bit)."""
    return _THROUGH[by][kinds]


def add(out: Flow, flow: Flow, by: int = IDENTITY) -> None:
    """Add ``flow``, seen through ``by``, to ``out``."""
    seen = flow
    if by != IDENTITY:
        kinds_by = _THROUGH[by]
        if len(flow) == 1:  # most are, and need no dictionary of their own
            ((node, kinds),) = flow.items()
            out[node] = out.get(node, 0) | kinds_by[kinds]
            return
        seen = {node: kinds_by[kinds] for node, kinds in flow.items()}
    if not out:
        out.update(seen)
        return
    for node, kinds in seen.items():
        out[node] = out.get(node, 0) | kinds


Fields = Callable[[], "list[Column] | None"]
_NOTHING: Final[frozenset[str]] = frozenset()


class Once:
    """A function without arguments that runs at its first use and caches its result."""

    __slots__ = ("_answer", "_make")

    def __init__(self, make: Fields) -> None:
        self._make: Fields | None = make
        self._answer: list[Column] | None = None

    def __call__(self) -> list[Column] | None:
        """Return the answer."""
        if self._make is not None:
            make, self._make = self._make, None  # called again from within, there is no result yet
            self._answer = make()
        return self._answer


class Part:
    """One derivation of a column: its flow and the text of the expression, made only when somebody asks.

    ``left_out`` are the columns, as the dialect spells them, that a star over unknown columns leaves out.
    """

    __slots__ = ("_text", "flow", "left_out")

    def __init__(self, flow: Flow, text: str | Callable[[], str], left_out: frozenset[str] = _NOTHING) -> None:
        self.flow = flow
        self.left_out = left_out
        self._text = shorten(text) if isinstance(text, str) else text

    @property
    def text(self) -> str:
        """The normalised expression in terms of the sources."""
        if not isinstance(self._text, str):
            self._text = shorten(self._text())
        return self._text

    def without(self, names: frozenset[str]) -> Part:
        """Return the derivation of a star less some columns."""
        return Part(self.flow, lambda: self.text, self.left_out | names)


class Column:
    """An output column of a relation: a name and its derivations (several below a union).

    A name of ``*`` covers columns that are not known; ``excluded`` are the lower-case names known not to be among
    them. ``position`` is set where the query gave no name: the place in its select list. ``hidden`` columns can be
    named but are not part of a star. ``fields`` are a struct's fields, computed at first use; ``kind`` is the
    declared type's tree where it has parts.
    """

    __slots__ = ("_inside", "_text", "excluded", "fields", "hidden", "kind", "missing", "name", "parts", "position")

    def __init__(
        self,
        name: str,
        parts: tuple[Part, ...],
        *,
        hidden: bool = False,
        position: int | None = None,
        excluded: frozenset[str] = frozenset(),
        fields: Fields | None = None,
    ) -> None:
        self.name = name
        self.parts = parts
        self.hidden = hidden
        self.position = position
        self.excluded = excluded
        self.fields = fields
        self.kind: Any = None
        self.missing = False
        self._text: str | None = None
        self._inside: dict[str, Column] | None = None

    @property
    def is_open(self) -> bool:
        """Whether this covers columns that are not known."""
        return self.name == "*"

    @property
    def text(self) -> str:
        """The text with which an expression over this column shows it; cut, since it may occur often."""
        if self._text is None:
            texts = list(dict.fromkeys(part.text for part in self.parts))
            self._text = texts[0] if len(texts) == 1 else shorten("(" + " | ".join(texts) + ")") if texts else "?"
        return self._text

    def renamed(self, name: str) -> Column:
        """Return the column under another name, visible."""
        column = Column(name, self.parts, fields=self.fields)
        column.kind = self.kind
        return column

    def without(self, names: Iterable[str]) -> Column:
        """Return the unknown columns that this covers, without some of them, as the dialect spells them."""
        gone = frozenset(names)
        parts = tuple([part.without(gone) for part in self.parts])
        return Column("*", parts, excluded=self.excluded | {name.lower() for name in gone}, hidden=self.hidden)

    def named(self, name: str) -> Column:
        """Return the column ``name`` out of the unknown ones that this covers."""
        return Column(name, tuple(_named(part, name) for part in self.parts))

    def field(self, path: str) -> Column:
        """Return the struct field ``path`` (dotted) of this column; one not known may come from all of it."""
        missing = False
        if self.fields is not None:
            first, _, rest = path.partition(".")
            known = self._known_fields()
            inner = known.get(first.lower())
            if inner is None and first.isdecimal() and 0 < int(first) <= len(known):
                inner = (known_fields(self) or [])[int(first) - 1]  # a tuple's, by its place
            if inner is None:
                inner = picked(known.values(), first)
            if inner is not None:
                return inner.field(rest) if rest else inner
            missing = bool(known)
        result = Column(path.rpartition(".")[2], tuple([field_part(part, path) for part in self.parts]))
        result.missing = missing
        return result

    def _known_fields(self) -> dict[str, Column]:
        """Return the struct's fields by lower-case name; of two of one name the first."""
        if self._inside is None:
            known = known_fields(self)
            if known is None:  # perhaps only not yet
                return {}
            self._inside = {column.name.lower(): column for column in reversed(known)}
        return self._inside

    def flow(self) -> Flow:
        """Return all derivations as one flow."""
        if len(self.parts) == 1:
            return self.parts[0].flow
        out: Flow = {}
        for part in self.parts:
            add(out, part.flow)
        return out

    def without_text(self, text: str) -> Column:
        """Return the column with one derivation and another text."""
        return Column(self.name, (Part(self.flow(), text),), position=self.position)


def known_fields(column: Column | None) -> list[Column] | None:
    """Return a column's fields in order, None where they are not known or there is no column."""
    return column.fields() if column is not None and column.fields is not None else None


def picked(columns: Iterable[Column], name: str) -> Column | None:
    """Return the column ``name`` out of those among ``columns`` that are not known, None where there are none."""
    return next((c.named(name) for c in columns if c.is_open and name.lower() not in c.excluded), None)


def _named(part: Part, name: str) -> Part:
    flow = {(node[:-1] + name if node.endswith(("#*", ".*")) else node): kinds for node, kinds in part.flow.items()}
    text = part.text
    return Part(flow, text[:-1] + name if text.endswith(".*") else text)


def add_fields(out: Flow, column: Column, paths: list[str]) -> None:
    """Add the sources of fields of a column whose own fields are not known to ``out``."""
    for part in column.parts:
        for node, kinds in part.flow.items():
            if kinds == IDENTITY and "#" in node:
                add(out, dict.fromkeys([f"{node}.{path}" for path in paths], IDENTITY))
            else:
                add(out, {node: kinds})


def field_part(part: Part, path: str) -> Part:
    """Return the derivation of a struct's field out of the struct's; of a column that is not known it is neither."""
    flow = {
        (f"{node}.{path}" if kinds == IDENTITY and "#" in node and node[-2:] != "#*" else node): kinds
        for node, kinds in part.flow.items()
    }
    return Part(flow, lambda: f"{part.text}.{path}")
