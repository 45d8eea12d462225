"""A stretch of messages walked in order: which columns are known at each one's turn, and what is not parsed with them.

The walk is a short form of ``lineage_tt.write.planning``: messages declare the columns that they write, and a statement
in force at any time is resolved again where columns that it depends on change, late messages and retracts included. It
keeps timelines without edges, and makes no rows. Of the log it knows the columns alone, not the statements before the
first stretch: where that matters, its guess is wrong, and the plan corrects it.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, cast

from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import Change, Lineage, Message, NodeChange, RejectedMessage, Subject, TaskChange
from lineage_tt.model.times import LAST
from lineage_tt.write.catalog import catalog as catalogs
from lineage_tt.write.catalog.catalog import Catalog, CatalogView, Entry
from lineage_tt.write.catalog.dependencies import Due, StarIndex, columns_read, due, spans_since, stars_of, words_of
from lineage_tt.write.catalog.reresolve import content_of
from lineage_tt.write.planning.deriving import MAX_TIMES
from lineage_tt.write.planning.log_queries import rank_of
from lineage_tt.write.subjects.tasks import TaskHistory

#: What a text's lineage depends on, beside columns.
Key = tuple[str, str | None, str | None, str | None, str | None, tuple[tuple[str, str], ...]]
#: The lineages of texts, each resolved with other columns.
Variants = dict[Key, list[Lineage]]
#: A text to be parsed with these columns.
Request = tuple[TaskChange, Mapping[str, Shape]]
#: Characters of statements that depend on columns and are remembered beyond their stretch.
MAX_REMEMBERED: Final = 64 << 20
_NOTHING_YET: Final = Lineage(ordered=True)


class Statement(NamedTuple):
    """What a version states that depends on columns: the message, and what its text says with them."""

    message: TaskChange
    lineage: Lineage


class Walk:
    """Walks one stretch after the other; ``catalog`` holds what the log declares up to ``version``."""

    def __init__(self, catalog: Catalog, version: int) -> None:
        self._catalog = catalog
        self._settled = self._version = version
        self._index = StarIndex()
        self._histories: dict[Subject, TaskHistory] = {}
        self._statements: OrderedDict[int, Statement] = OrderedDict()
        self._walked: set[Subject] = set()  # subjects of this stretch
        self._moved: set[int] = set()  # versions that a message made count, or cease to
        self._followed: dict[int, bool] = {}  # in this stretch, and whether they were withdrawn before
        self._requests: list[Request] = []

    def through(self, messages: Sequence[Message], variants: Variants, guesses: dict[int, Lineage]) -> list[Request]:
        """Return the texts that ``variants`` does not hold with the columns of their turn.

        ``guesses`` receives, by place, what each message says as far as is known.
        """
        self._rewind()
        self._variants, self._requests = variants, []
        for place, message in enumerate(messages):
            self._version += 1
            if not isinstance(message, RejectedMessage):
                self._take(place, message, guesses)
        return self._requests

    def settle(self, messages: Sequence[Message], variants: Variants, guesses: dict[int, Lineage]) -> None:
        """Take a stretch as done: the next one follows."""
        if self._requests:
            self.through(messages, variants, guesses)
        self._settled = self._version
        self._walked.clear()
        self._followed.clear()
        weight = sum(len(statement.message.sql or "") for statement in self._statements.values())
        while weight > MAX_REMEMBERED:
            weight -= len(self._statements.popitem(last=False)[1].message.sql or "")
        remembered = {statement.message.subject for statement in self._statements.values()}
        self._histories = {
            subject: history
            for subject, history in self._histories.items()
            if subject in remembered or not isinstance(subject, str)
        }

    def _rewind(self) -> None:
        """Take back all that was walked after the last stretch that is settled."""
        self._catalog.remove_after(self._settled)
        for version, was_withdrawn in self._followed.items():
            (self._catalog.withdraw if was_withdrawn else self._catalog.restore)(version)
        for subject in self._walked & self._histories.keys():
            self._histories[subject].rewind(self._settled)
        while self._statements and next(reversed(self._statements)) > self._settled:
            self._statements.popitem()
        self._walked.clear()
        self._followed.clear()
        self._version = self._settled

    def _take(self, place: int, message: Change, guesses: dict[int, Lineage]) -> None:
        """Place a message, let it declare the columns that it writes, and resolve again what depends on them."""
        if isinstance(message, NodeChange) and message.kind != "dataset":
            return  # it says nothing about columns
        history = self._histories.get(message.subject)
        if history is None:
            history = self._histories[message.subject] = TaskHistory()
        self._walked.add(message.subject)
        version, at = self._version, message.effective_at or 0
        has_text = isinstance(message, TaskChange) and message.lineage is None and message.sql is not None
        has_text = has_text and message.op not in ("offline", "retract")
        if message.event_id in history.events or (message.op == "retract" and message.retracts not in history.events):
            if has_text:  # of other content, hence refused; the writer needs its lineage all the same
                guesses[place], _ = self._lineage(cast("TaskChange", message), at, guesses.get(place))
            return
        if message.op == "retract":
            self._withdraw(history, message)
        elif isinstance(message, NodeChange):
            self._catalog.declare(message.node, Entry.declared(at, rank_of(message), version, tuple(message.fields)))
            history.place(version, at, message.source_version, ())
        else:
            lineage, is_exact = None, True
            if has_text:
                lineage, is_exact = self._lineage(message, at, guesses.get(place))
                guesses[place] = lineage
            self._place(message, history, lineage, is_exact)
        history.events[message.event_id] = version, b""
        tasks, only = self._index.since(self._touched([version])), dict[str, int]()
        if isinstance(message, TaskChange):
            own = message.task_id
            if message.op == "retract":
                tasks[own] = min(history.changed_from(message.retracts or ""), tasks.get(own, LAST))
            elif own in tasks:
                tasks[own] = min(at, tasks[own])
            elif history.depends(version):
                tasks[own], only = at, {own: version}
        self._derive(tasks, only)

    def _lineage(
        self, message: TaskChange, at: int, guess: Lineage | None, version: int | None = None
    ) -> tuple[Lineage, bool]:
        """Return what a text says with the columns of its turn, and True; else what it is guessed to say, and False.

        What is guessed is requested. A text that is resolved again comes with the ``version`` that stated it.
        """
        known, variants = self._catalog, self._variants.get(key_of(message), ())
        for lineage in variants:
            if all(known.columns(dataset, at, version) == columns for dataset, columns in lineage.lookups):
                return lineage, True
        guess = variants[-1] if variants else guess
        seen = (*variants, guess) if guess else variants
        now = {dataset: known.columns(dataset, at, version) for each in seen for dataset, _ in each.lookups}
        self._requests.append((message, AtTurn(known.at(at, version), now)))
        return guess or _NOTHING_YET, False

    def _place(
        self,
        message: TaskChange,
        history: TaskHistory,
        lineage: Lineage | None,
        is_exact: bool,
        derived: Due | None = None,
    ) -> None:
        """Place what a message states, itself or resolved again.

        What is guessed counts as resolved with the columns of its turn: it is requested once.
        """
        version, at = self._version, derived.effective_at if derived else message.effective_at or 0
        base = derived.version if derived else None
        before = history.versions_in_force() if history.has_derived or history.is_stated_at(at) else None
        history.place(version, at, message.source_version, (), base)
        if lineage is not None:
            stated_at = history.effective_at(base or version)
            stated = catalogs.Statement(stated_at, rank_of(message), message.task_id, base or version)
            for dataset, columns in lineage.shapes():
                self._catalog.declare(dataset, Entry.written(at, version, columns, stated))
            stars = stars_of(lineage, message)
            if not is_exact:
                stars = columns_read(self._catalog, stars, at, base or version, partial(words_of, message))
            if stars or base is not None:
                history.note_stars(version, stars)
                self._index.add(message.task_id, (dataset for dataset, _ in stars))
                self._statements[version] = Statement(message, lineage)
        if before is not None:
            self._follow(before, history.versions_in_force())

    def _withdraw(self, history: TaskHistory, message: Change) -> None:
        counting = history.versions_in_force if isinstance(message, TaskChange) else history.visible_versions
        before = counting()
        history.withdraw(self._version, message.retracts or "")
        self._follow(before, counting())

    def _follow(self, before: set[int], after: set[int]) -> None:
        """Let the catalog follow which versions of a subject count."""
        gone, come = before - after | {self._version} - after, after - before - {self._version}
        for moved in filter(self._catalog.touched, gone | come):
            self._followed.setdefault(moved, self._catalog.is_withdrawn(moved))
            (self._catalog.withdraw if moved in gone else self._catalog.restore)(moved)
            self._moved.add(moved)

    def _touched(self, versions: Iterable[int]) -> dict[str, int]:
        result = self._catalog.changed((*versions, *self._moved))
        self._moved.clear()
        return result

    def _derive(self, tasks: dict[str, int], only: Mapping[str, int]) -> None:
        """Resolve again what depends on columns that changed, until nothing changes any more, as ``Plan`` does."""
        times: Counter[tuple[int, int]] = Counter()
        while tasks:
            waiting = [each for each in self._due(tasks, only) if times[each.version, each.effective_at] < MAX_TIMES]
            times.update((each.version, each.effective_at) for each in waiting)
            lineages = []
            for each in waiting:
                message, before = self._statements[each.version]
                lineages.append(self._lineage(message, each.effective_at, before, each.version))
            begun, again_from = self._version, dict[str, int]()
            for each, (lineage, is_exact) in zip(waiting, lineages, strict=True):
                if not self._says_the_same(each, lineage):
                    if times[each.version, each.effective_at] == MAX_TIMES:
                        lineage = lineage.unsettled(MAX_TIMES)
                    self._version += 1
                    statement, history = self._statements[each.version], self._histories[each.task_id]
                    self._place(statement.message, history, lineage, is_exact, each)
                    again_from.setdefault(each.task_id, each.effective_at)
            tasks, only = self._index.since(self._touched(range(begun + 1, self._version + 1))), {}
            for task, at in again_from.items():
                tasks[task] = min(at, tasks.get(task, at))

    def _says_the_same(self, due: Due, lineage: Lineage) -> bool:
        """Whether a statement says the same with other columns; noted, so that it is not requested again."""
        history = self._histories[due.task_id]
        in_force = history.in_force(due.version, due.effective_at)
        before = self._statements.get(in_force)
        is_known = {dataset for dataset, _ in lineage.lookups} <= {dataset for dataset, _ in due.read}
        if before is None or not is_known or lineage.problems != before.lineage.problems:
            return False
        if content_of(before.lineage) != content_of(lineage):
            return False
        history.note_checked(due.version, due.effective_at, in_force, due.read)
        return True

    def _due(self, tasks: Mapping[str, int], only: Mapping[str, int]) -> list[Due]:
        result: list[Due] = []
        for task in sorted(tasks):
            history = self._histories.get(task)
            if history is None:
                continue
            self._walked.add(task)
            for span in spans_since(history, tasks[task], only.get(task)):
                statement = self._statements.get(span.version)
                if statement is not None:
                    words = partial(words_of, statement.message)
                    result += due(task, history, span, tasks[task], self._catalog, words)
        return result


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
        result = self._at_turn[dataset]
        if result is None:
            raise KeyError(dataset)
        return result

    def __iter__(self) -> Iterator[str]:
        return (dataset for dataset in self.datasets() if dataset in self)


def key_of(message: TaskChange) -> Key:
    """Return what a message's lineage depends on, beside columns."""
    params = tuple(sorted(message.params.items())) if message.params else ()
    return message.sql or "", message.dialect, message.namespace, message.default_database, message.target, params
