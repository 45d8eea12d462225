"""Lineage made before its turn, for a long stretch of messages at once, with the columns that will then be known.

What a text says depends on the columns known at its turn, and these come from the texts before it. So a stretch is
parsed in rounds: the first with the columns known before it; then its messages are walked in order, each declaring the
columns that it was just found to write, and those whose answers would now be others are parsed again; until none is.
On the real stream a sixth of the texts is parsed twice, and four rounds suffice.

It stays a guess. The writer looks, at each message's turn, whether the columns that its lineage was made with are the
ones in force, as it does with any; where they are not, the text is parsed once more, here. So the rows are those of an
ingest message by message, and a wrong guess costs time only.
"""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, cast

from ingest.resolve import SqlResolver
from lineage_tt.catalog import Catalog, CatalogView, Entry
from lineage_tt.messages import Columns, Lineage, Message, NodeChange, RejectedMessage, TaskChange
from lineage_tt.timeline import NO_SOURCE_VERSION

if TYPE_CHECKING:
    from ingest.spark.pool import SparkPool
    from ingest.workers import ExtractionPool
    from lineage_tt.history import Past

#: What is not settled then is left to the writer.
MOST_ROUNDS: Final = 8
Key = tuple[str, str | None, str | None, str | None, str | None, tuple[tuple[str, str], ...]]


class PooledResolver(SqlResolver):
    """A resolver whose pool is given."""

    def __init__(self, pool: SparkPool) -> None:
        super().__init__()
        self._pool = cast("ExtractionPool", pool)


class Foresight:
    """A resolver for the writer that was told its messages before; ``workers`` processes parse what it did not foresee.

    ``past`` is what the log holds and ``version`` its last version.
    """

    def __init__(self, pool: SparkPool, past: Past, version: int, workers: int = 2) -> None:
        self._ahead = PooledResolver(pool)
        self._here = SqlResolver(workers)
        self._catalog = Catalog()
        self._version = version
        self._foreseen: dict[int, Lineage] = {}
        self._variants: dict[Key, list[Lineage]] = {}
        #: How many texts were parsed because they were not foreseen with the columns of their turn.
        self.surprises = 0
        for dataset, entry in past.declared:
            self._catalog.declare(dataset, entry)
        for gone in past.withdrawn:
            self._catalog.withdraw(gone)
        for come in past.restored:
            self._catalog.restore(come)

    def foresee(self, messages: Sequence[Message]) -> None:
        """Make the lineage of the messages that carry SQL; they follow those of the call before."""
        made: dict[int, Lineage] = {}
        asked = [
            (place, message, cast("Mapping[str, Columns]", self._catalog.at(message.effective_at or 0)))
            for place, message in enumerate(messages)
            if isinstance(message, TaskChange) and message.sql is not None
        ]
        for _ in range(MOST_ROUNDS):
            found = self._ahead([(message, known) for _, message, known in asked]) if asked else []
            made |= {place: lineage for (place, _, _), lineage in zip(asked, found, strict=True)}
            self._catalog.remove_after(self._version)
            asked = list(self._walk(messages, made))
            if not asked:
                break
        self._version += len(messages)
        for place, lineage in made.items():
            message = messages[place]
            assert isinstance(message, TaskChange)
            self._foreseen[id(message)] = lineage
            self._variants.setdefault(_key(message), []).append(lineage)

    def _walk(
        self, messages: Sequence[Message], made: Mapping[int, Lineage]
    ) -> Iterator[tuple[int, TaskChange, Mapping[str, Columns]]]:
        """Let each message declare the columns that it writes; yield those not made with the columns of their turn."""
        for place, message in enumerate(messages):
            if isinstance(message, NodeChange):
                self._declare_fields(message, self._version + place + 1)
                continue
            lineage = made.get(place)
            if lineage is None or isinstance(message, RejectedMessage):
                continue
            at = message.effective_at or 0
            now = {dataset: self._catalog.columns(dataset, at) for dataset, _ in lineage.lookups}
            if any(now[dataset] != columns for dataset, columns in lineage.lookups):
                yield place, message, AtTurn(self._catalog.at(at), now)
            for dataset, columns in lineage.outputs:
                entry = Entry(at, _rank(message.source_version), self._version + place + 1, tuple(columns))
                self._catalog.declare(dataset, entry)

    def _declare_fields(self, message: NodeChange, version: int) -> None:
        if message.kind != "dataset" or message.op == "retract":
            return
        entry = Entry.declared(message.effective_at or 0, _rank(message.source_version), version, tuple(message.fields))
        self._catalog.declare(message.node, entry)

    def __call__(self, waiting: Sequence[tuple[TaskChange, Mapping[str, Columns]]]) -> list[Lineage]:
        """Return the lineage of each message: as foreseen, the first time; then, or where it was not, as of now."""
        found = [self._known(message, known) for message, known in waiting]
        missing = [place for place, lineage in enumerate(found) if lineage is None]
        if missing:
            self.surprises += len(missing)
            for place, lineage in zip(missing, self._here([waiting[place] for place in missing]), strict=True):
                found[place] = lineage
        return [lineage for lineage in found if lineage is not None]

    def _known(self, message: TaskChange, known: Mapping[str, Columns]) -> Lineage | None:
        guess = self._foreseen.pop(id(message), None)
        for lineage in self._variants.get(_key(message), ()):
            if all(known.get(dataset) == columns for dataset, columns in lineage.lookups):
                return lineage
        return guess

    def forget(self, messages: Sequence[Message]) -> None:
        """Drop what was made for messages that are in the log by now."""
        for message in messages:
            self._foreseen.pop(id(message), None)
            if isinstance(message, TaskChange):
                self._variants.pop(_key(message), None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ahead.close()
        self._here.close()


class AtTurn(CatalogView):
    """A catalog in which some datasets have the columns of a message's turn, whatever was declared since."""

    def __init__(self, view: CatalogView, columns: Mapping[str, Columns | None]) -> None:
        self._view = view
        self._at_turn = columns

    def datasets(self) -> KeysView[str]:
        """Return the names of all datasets of which anything is known at any time."""
        return self._view.datasets()

    def __getitem__(self, dataset: str) -> Columns:
        if dataset not in self._at_turn:
            return self._view[dataset]
        found = self._at_turn[dataset]
        if found is None:
            raise KeyError(dataset)
        return found

    def __iter__(self) -> Iterator[str]:
        return (dataset for dataset in self.datasets() if dataset in self)


def _key(message: TaskChange) -> Key:
    params = tuple(sorted(message.params.items()))
    return message.sql or "", message.dialect, message.namespace, message.default_database, message.target, params


def _rank(source_version: int | None) -> int:
    return NO_SOURCE_VERSION if source_version is None else source_version
