"""A stretch of messages walked in order: which columns are known at each one's turn, and what is not parsed with them.

The walk says in short what ``lineage_tt.write.plan`` does in full: messages declare the columns that they write, and a
statement with a star is resolved again when the columns behind it change. It takes the messages to be in order of valid
time and knows of no retracts: where that is wrong, its guess is, and the plan corrects it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import Lineage, Message, NodeChange, RejectedMessage, TaskChange
from lineage_tt.timeline import NO_SOURCE_VERSION
from lineage_tt.write.catalog import catalog as catalogs
from lineage_tt.write.catalog.catalog import Catalog, CatalogView, Entry
from lineage_tt.write.catalog.dependencies import StarIndex, columns_read, stars_of, words_of
from lineage_tt.write.subjects.tasks import Stars

#: What a text's lineage depends on, beside columns.
Key = tuple[str, str | None, str | None, str | None, str | None, tuple[tuple[str, str], ...]]
#: What texts were found to say, each time with other columns.
Variants = dict[Key, list[Lineage]]
#: A text to be parsed with these columns.
Asked = tuple[TaskChange, Mapping[str, Shape]]
#: Characters of statements that depend on columns and are remembered beyond their stretch.
MAX_REMEMBERED: Final = 64 << 20
MAX_WAVES: Final = 16


class Statement(NamedTuple):
    """A task's statement in force that depends on columns: its message, what it says, with which columns."""

    message: TaskChange
    lineage: Lineage
    stars: Stars
    version: int


class Walk:
    """Walks one stretch after the other; ``catalog`` holds what the log declares up to ``version``."""

    def __init__(self, catalog: Catalog, version: int) -> None:
        self._catalog = catalog
        self._settled = self._version = version
        self._remembered: OrderedDict[str, Statement] = OrderedDict()
        self._index = StarIndex()

    def through(self, messages: Sequence[Message], variants: Variants, guesses: dict[int, Lineage]) -> list[Asked]:
        """Return the texts that ``variants`` does not hold with the columns of their turn.

        ``guesses`` receives, by place, what each message says as far as is known.
        """
        self._catalog.remove_after(self._settled)
        self._version = self._settled
        self._statements = dict(self._remembered)
        self._variants, self._asked = variants, list[Asked]()
        for place, message in enumerate(messages):
            self._version += 1
            touched = self._declare(place, message, guesses)
            if touched and not isinstance(message, RejectedMessage):
                self._resolve_again(touched, message.effective_at or 0)
        return self._asked

    def settle(self, messages: Sequence[Message], variants: Variants, guesses: dict[int, Lineage]) -> None:
        """Take a stretch as done: the next one follows."""
        if self._asked:
            self.through(messages, variants, guesses)
        self._settled = self._version
        self._remembered = OrderedDict(self._statements)
        weight = sum(len(statement.message.sql or "") for statement in self._remembered.values())
        while weight > MAX_REMEMBERED:
            weight -= len(self._remembered.popitem(last=False)[1].message.sql or "")

    def _declare(self, place: int, message: Message, guesses: dict[int, Lineage]) -> list[str]:
        """Let a message declare the columns that it writes; return the datasets."""
        if isinstance(message, RejectedMessage) or message.op == "retract":
            return []
        at = message.effective_at or 0
        if isinstance(message, NodeChange):
            if message.kind == "dataset":
                entry = Entry.declared(at, _rank(message), self._version, tuple(message.fields))
                self._catalog.declare(message.node, entry)
                return [message.node]
            return []
        self._statements.pop(message.task_id, None)
        if message.sql is None:
            return []
        lineage = self._lineage(message, at, guesses.get(place))
        if lineage is None:
            return []
        guesses[place] = lineage
        stars = stars_of(lineage, message)
        statement = Statement(message, lineage, stars, self._version)
        if stars:
            self._statements[message.task_id] = statement
            self._index.add(message.task_id, (dataset for dataset, _ in stars))
        return self._write(statement, lineage, at)

    def _lineage(
        self, message: TaskChange, at: int, guess: Lineage | None, version: int | None = None
    ) -> Lineage | None:
        """Return what a text says with the columns of its turn; what it is guessed to say where that is asked for.

        A text that is resolved again comes with the ``version`` that stated it.
        """
        known, variants = self._catalog, self._variants.get(key_of(message), ())
        for lineage in variants:
            if all(known.columns(dataset, at, version) == columns for dataset, columns in lineage.lookups):
                return lineage
        guess = variants[-1] if variants else guess
        seen = (*variants, guess) if guess else variants
        now = {dataset: known.columns(dataset, at, version) for each in seen for dataset, _ in each.lookups}
        self._asked.append((message, AtTurn(known.at(at, version), now)))
        return guess

    def _write(self, statement: Statement, lineage: Lineage, at: int) -> list[str]:
        message = statement.message
        stated = catalogs.Statement(message.effective_at or 0, _rank(message), message.task_id, statement.version)
        for dataset, columns in lineage.shapes():
            self._catalog.declare(dataset, Entry.written(at, self._version, columns, stated))
        return [dataset for dataset, _ in lineage.outputs]

    def _resolve_again(self, touched: Iterable[str], at: int) -> None:
        """Resolve again the statements that depend on what was touched, and on what that touches in turn."""
        for _ in range(MAX_WAVES):
            due = list(self._due(touched, at))
            if not due:
                return
            touched = []
            for task, statement, when, stars in due:
                lineage = self._lineage(statement.message, when, statement.lineage, statement.version)
                assert lineage is not None
                self._statements[task] = statement._replace(lineage=lineage, stars=stars)
                self._version += 1
                touched += self._write(statement, lineage, when)

    def _due(self, touched: Iterable[str], at: int) -> Iterator[tuple[str, Statement, int, Stars]]:
        for task in sorted(self._index.since(dict.fromkeys(touched, at))):
            statement = self._statements.get(task)
            if statement is not None:
                when = max(at, statement.message.effective_at or 0)
                words = partial(words_of, statement.message)
                stars = columns_read(self._catalog, statement.stars, when, statement.version, words)
                if stars != statement.stars:
                    yield task, statement, when, stars


class AtTurn(CatalogView):
    """A catalog in which some datasets have the columns of a message's turn, whatever was declared since."""

    def __init__(self, view: CatalogView, columns: Mapping[str, Shape | None]) -> None:
        self._view = view
        self._at_turn = columns

    def datasets(self) -> KeysView[str]:
        """Return the names of all datasets of which anything is known at any time."""
        return self._view.datasets()

    def __getitem__(self, dataset: str) -> Shape:
        if dataset not in self._at_turn:
            return self._view[dataset]
        found = self._at_turn[dataset]
        if found is None:
            raise KeyError(dataset)
        return found

    def __iter__(self) -> Iterator[str]:
        return (dataset for dataset in self.datasets() if dataset in self)


def key_of(message: TaskChange) -> Key:
    """Return what a message's lineage depends on, beside columns."""
    params = tuple(sorted(message.params.items())) if message.params else ()
    return message.sql or "", message.dialect, message.namespace, message.default_database, message.target, params


def _rank(message: TaskChange | NodeChange) -> int:
    return NO_SOURCE_VERSION if message.source_version is None else message.source_version
