"""What a query makes: columns in order, and what it does beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any, Final

from ingest.sql.binder.relations.flow import IDENTITY, Column, Flow, Part, add
from ingest.sql.binder.relations.types import Kinds, typed
from lineage_tt.model.edges import dataset_of

#: How the name of a star node ends: the columns of a dataset that are not known.
UNKNOWN: Final = "#*"


class Effects:
    """What a query does beside its columns: the datasets it reads and the columns that decide about its rows.

    ``elements`` are the columns whose parts are its rows, as those of an array are: they decide how many there are.
    """

    __slots__ = ("elements", "predicates", "reads")

    def __init__(self) -> None:
        self.predicates: Flow = {}
        self.reads: set[str] = set()
        self.elements: Flow = {}

    def add(self, other: Effects) -> None:
        """Add what another query does, but not the elements: those are rows of its own."""
        add(self.predicates, other.predicates)
        self.reads |= other.reads

    def elements_beside(self, rows: Set[str]) -> Flow:
        """Return the elements of other datasets than those of ``rows``: of a correlated array."""
        return {node: kinds for node, kinds in self.elements.items() if dataset_of(node) not in rows}


def of_elements(columns: list[Column], flow: Flow) -> Relation:
    """Return rows that are parts of a value, which comes from ``flow``."""
    relation = Relation(columns)
    add(relation.effects.elements, flow)
    return relation


class Relation:
    """Columns in order, the datasets whose rows they are (``rows``), and the effects of making them.

    ``inside`` are the sources that were in sight, by alias, where the relation was made; ``value`` is what each row is
    where it is one value (``SELECT AS VALUE``), the columns then its fields. ``repeated`` are the lower-case names that
    several of its columns have, where such a name is ambiguous. ``idle_order`` is what an ORDER BY sorts by that
    decides about no row: it matters where the rows become one value. ``compared`` are the two sides of EXCEPT or
    INTERSECT, whose values decide whether there is a row at all.
    """

    __slots__ = (
        "_guessed", "_index", "_is_open", "_open", "columns", "compared", "effects", "idle_order", "inside", "repeated",
        "rows", "value",
    )  # fmt: skip

    def __init__(
        self, columns: list[Column], effects: Effects | None = None, rows: frozenset[str] = frozenset()
    ) -> None:
        self.columns = columns
        self.effects = effects or Effects()
        self.rows = rows
        self.inside: Mapping[str, Any] = {}
        self.value: Column | None = None
        self.repeated: frozenset[str] = frozenset()
        self.idle_order: Flow = {}
        self.compared: tuple[Relation, ...] = ()
        self._index: dict[str, Column] | None = None
        self._open: list[Column] | None = None
        self._is_open: bool | None = None
        self._guessed: dict[tuple[str, bool], list[Column]] = {}

    @property
    def is_open(self) -> bool:
        """Whether it may have columns that are not known."""
        if self._is_open is None:
            self._is_open = any(not column.hidden for column in self.open_columns())
        return self._is_open

    def open_columns(self) -> list[Column]:
        """Return the columns that cover unknown ones; they do not change after the first call."""
        if self._open is None:
            self._open = [column for column in self.columns if column.is_open]
        return self._open

    def get(self, name: str) -> Column | None:
        """Return the known column of that name, else one of it in another case, None where there is none."""
        if self._index is None:
            known = [column for column in self.columns if not column.is_open]
            self._index = {column.name.lower(): column for column in reversed(known)}
            self._index |= {column.name: column for column in reversed(known)}
        return self._index.get(name) or self._index.get(name.lower())

    def guess(self, name: str, *, hidden: bool = True) -> list[Column]:
        """Return the column from each unknown source that may have it; ``hidden`` ones are named through an alias."""
        columns = self.open_columns()
        if not columns:
            return []
        hidden = hidden or not any(column.hidden for column in columns)  # then the same columns, made once
        known = self._guessed.get((name, hidden))
        if known is None:
            key = name.lower()
            known = self._guessed[name, hidden] = [
                column.named(name) for column in columns if key not in column.excluded and (hidden or not column.hidden)
            ]
        return known

    def visible(self) -> list[Column]:
        """Return the columns that a star names."""
        return [column for column in self.columns if not column.hidden]

    def starred(self) -> list[Column]:
        """Return what a star brings: the visible columns, and fields that may be named after it."""
        return [column for column in self.columns if not column.hidden or column.is_open]


def base_relation(
    dataset: str, columns: tuple[str, ...] | None, kinds: Kinds, left_out: frozenset[str] = frozenset()
) -> Relation:
    """Return a stored dataset as a relation; one whose columns are not known is open.

    A star does not bring the columns that are ``left_out``.
    """
    effects = Effects()
    effects.reads.add(dataset)
    names = columns if columns is not None else ("*",)
    stored = [base_column(dataset, name) for name in names]
    if kinds:
        stored = [typed(column, kinds[column.name].tree) if column.name in kinds else column for column in stored]
    for column in stored if left_out else ():
        column.hidden = column.name in left_out
    return Relation(stored, effects, frozenset([dataset]))


def meant(name: str, names: Iterable[str]) -> list[str]:
    """Return those of ``names`` that a spelt name means: the one of its case, else those in another case."""
    return all_meant([name], names)[name]


def all_meant(wanted: Iterable[str], names: Iterable[str]) -> dict[str, list[str]]:
    """Return for each spelt name those of ``names`` that it means, as :func:`meant` does for one."""
    exact: set[str] = set()
    folded: dict[str, list[str]] = {}
    for each in names:
        exact.add(each)
        folded.setdefault(each.lower(), []).append(each)
    return {name: [name] if name in exact else folded.get(name.lower(), []) for name in wanted}


def unknown_sources(columns: Iterable[Column]) -> set[str]:
    """Return the datasets of which any of these columns covers unknown ones."""
    nodes: set[str] = set()  # many columns have the same ones
    for column in columns:
        for part in column.parts:
            nodes.update(part.flow)
    return {node[: -len(UNKNOWN)] for node in nodes if node.endswith(UNKNOWN)}


def base_column(dataset: str, name: str) -> Column:
    """Return a stored dataset's column."""
    return Column(name, (Part({f"{dataset}#{name}": IDENTITY}, f"{dataset.partition(':')[2]}.{name}"),))
