"""A store at a pinned basis as a base: DuckDB finds the edges in force once, and each question reads from them."""

from __future__ import annotations

import itertools
import json
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from lineage_tt.feed.changes import net
from lineage_tt.impact.base.columns import Shapes
from lineage_tt.impact.base.names import Names
from lineage_tt.impact.base.past import Past
from lineage_tt.impact.base.port import Facts, TaskText
from lineage_tt.impact.base.store_queries import CONTENTS, DERIVED_FROM, NODES, PAST, RECTANGLES, REJECTED, TASKS, TEXTS
from lineage_tt.model.answers import Basis, ColumnAsOf
from lineage_tt.model.completeness.summary import GapsAt
from lineage_tt.model.edges import EdgeTuple, TaskEdge, dataset_of
from lineage_tt.model.facts import Shape
from lineage_tt.model.format import ChangeTuple
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.write.subjects.tasks import PastMessage

if TYPE_CHECKING:
    from lineage_tt.read.questions import Questions

T = TypeVar("T")


class StoreBase:
    """The store as of a basis. One thread at a time."""

    def __init__(self, store: Questions, basis: Basis) -> None:
        self.basis = basis
        self._database = store.database()
        self._connection = self._database.another()
        self._table = f"memory.main.impact_{next(_NUMBERS)}"
        self._table_built: Future[None] | None = None
        self._edges_by_name: dict[str, dict[str, list[TaskEdge]]] = defaultdict(dict)
        self._past: dict[str, Past] = {}
        self._text_state = store.texts
        self._view = store.as_of(basis.valid_at, version=basis.version)

    @property
    def text_policy(self) -> TextPolicy:
        """How much the store keeps of texts now."""
        return self._text_state.policy

    def _fetch(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        return self._database.fetch_on(self._connection, query, parameters)

    def prepare(self) -> None:
        """Start to select the edges in force, in a thread of its own: this takes longest, and is always needed."""
        if self._table_built is None:
            self._table_built = in_background(self._make_table)

    def _once(
        self,
        kind: str,
        names: Iterable[str],
        ask: Callable[[list[str]], Iterable[TaskEdge]],
        name_of: Callable[[TaskEdge], str],
    ) -> list[TaskEdge]:
        """Return the edges for these names; no name is looked up twice."""
        cached, listed = self._edges_by_name[kind], sorted(set(names))
        missing = [name for name in listed if name not in cached]
        if missing:
            fresh: dict[str, list[TaskEdge]] = {name: [] for name in missing}
            for edge in ask(missing):
                if (name := name_of(edge)) in fresh:  # another name may have the same hash
                    fresh[name].append(edge)
            cached.update(fresh)
        return [edge for name in listed for edge in cached[name]]

    def _from_table(self, hashed: str, names: list[str]) -> list[TaskEdge]:
        self._make()
        query = f"""SELECT task_id, source, target, kind, subtype, expression FROM {self._table}
            WHERE "{hashed}" IN (SELECT hash(unnest($names))) AND valid_from <= $at ORDER BY ALL"""
        return [TaskEdge(*row) for row in self._fetch(query, names=names, at=self.basis.valid_at)]

    def _make(self) -> None:
        self.prepare()
        assert self._table_built is not None
        self._table_built.result()

    def _make_table(self) -> None:
        point = {"version": self.basis.version, "valid_at": self.basis.valid_at}
        with self._database.another() as connection:
            self._database.fetch_on(connection, RECTANGLES.format(name=self._table, **point), {})

    def edges_of(self, task_ids: Iterable[str]) -> Sequence[TaskEdge]:
        """Return the edges of these tasks."""
        return self._once("task", task_ids, partial(self._from_table, "task"), lambda edge: edge.task_id)

    def edges_from(self, datasets: Iterable[str]) -> Sequence[TaskEdge]:
        """Return the edges that leave these datasets or any of their columns."""
        return self._once("from", datasets, partial(self._from_table, "from"), lambda edge: dataset_of(edge.source))

    def edges_into(self, datasets: Iterable[str]) -> Sequence[TaskEdge]:
        """Return the edges that end at these datasets or any of their columns."""
        return self._once("into", datasets, partial(self._from_table, "into"), lambda edge: dataset_of(edge.target))

    def close(self) -> None:
        """Drop the table of edges and close the connection."""
        if self._table_built is not None:
            self._table_built.exception()
            self._fetch(f"DROP TABLE IF EXISTS {self._table}")
        self._connection.close()

    def later_readers(self, datasets: Iterable[str]) -> Sequence[tuple[TaskEdge, int]]:
        """Return edges out of these datasets that come in force only later, each with the instant."""
        listed = sorted(set(datasets))
        if not listed or not self._has_later:
            return []
        return [(TaskEdge(*edge), at) for *edge, at in self._later(listed)]

    def _later(self, names: list[str]) -> list[tuple[Any, ...]]:
        self._make()
        query = f"""SELECT DISTINCT task_id, source, target, kind, subtype, expression, valid_from FROM {self._table}
            WHERE "from" IN (SELECT hash(unnest($wanted))) AND split_part(source, '#', 1) IN (SELECT unnest($wanted))
                AND valid_from > $at ORDER BY ALL"""
        return self._fetch(query, wanted=names, at=self.basis.valid_at)

    @cached_property
    def _has_later(self) -> bool:
        """Whether any message at all takes effect after the basis: rare, and quick to determine."""
        query = """SELECT 1 FROM log WHERE version <= $version AND effective_at > make_timestamptz($at) LIMIT 1"""
        return bool(self._fetch(query, at=self.basis.valid_at, version=self.basis.version))

    def ever_named(self, datasets: Iterable[str]) -> set[str]:
        """Return those of these datasets that any edge ever named, in force or not."""
        query = """SELECT DISTINCT node FROM (SELECT dataset_of(source) AS node FROM changes WHERE version <= $version
            UNION ALL SELECT dataset_of(target) FROM changes WHERE version <= $version)
            WHERE node IN (SELECT unnest($wanted))"""
        listed = sorted(set(datasets))
        return {node for (node,) in self._fetch(query, wanted=listed, version=self.basis.version)} if listed else set()

    def names(self) -> Names:
        """Return all tasks and nodes that any accepted message ever named; each call queries them."""
        tasks, nodes = (self._fetch(query, version=self.basis.version) for query in (TASKS, NODES))
        touched = (node for gap in self.gaps().all() for node in (*gap.reads, *gap.writes))
        return Names((task for (task,) in tasks), (*(node for (node,) in nodes if node), *touched))

    def tasks(self, task_ids: Iterable[str]) -> Mapping[str, TaskText]:
        """Return those of these tasks that are in force, each with its text."""
        winners = (history.winner_at(self.basis.valid_at)[0] for history in self._histories(task_ids).values())
        return {text.task_id: text for text in self._texts(winner for winner in winners if winner is not None)}

    def next_changes(self, task_ids: Iterable[str]) -> Mapping[str, int]:
        """Return when the next known message about each of these tasks takes effect, for those that have one."""
        following = {t: past.winner_at(self.basis.valid_at)[1] for t, past in self._histories(task_ids).items()}
        return {task: at for task, at in following.items() if at is not None}

    def seen(self, task_ids: Iterable[str]) -> set[str]:
        """Return those of these tasks that any accepted message was ever about."""
        return set(self._histories(task_ids))

    def rejected(self, task_ids: Iterable[str]) -> Mapping[str, int]:
        """Return the version of the last message about each of these tasks, for those whose last one was rejected."""
        listed = sorted(set(task_ids))
        return dict(self._fetch(REJECTED, version=self.basis.version, tasks=listed)) if listed else {}

    def is_empty(self) -> bool:
        """Return whether no message at all was accepted."""
        query = "SELECT 1 FROM log WHERE status = 'accepted' AND version <= $version LIMIT 1"
        return not self._fetch(query, version=self.basis.version)

    def _texts(self, versions: Iterable[int]) -> Iterator[TaskText]:
        listed = list(versions)
        for task, version, *known, params, coverage, sha256 in self._fetch(TEXTS, versions=listed) if listed else ():
            values = json.loads(params) if params else {}
            text = TaskText(task, version, *known)._replace(text_sha256=sha256, policy=self._text_state.at(version))
            yield text._replace(params=values, coverage=coverage)

    def _histories(self, tasks: Iterable[str]) -> dict[str, Past]:
        """Return the histories of those of these tasks that have one, without what their messages held."""
        listed = set(tasks)
        if missing := listed - self._past.keys():
            grouped: dict[str, list[PastMessage]] = {task: [] for task in missing}
            for row in self._fetch(PAST, version=self.basis.version, tasks=sorted(missing)):
                grouped[row[1]].append(PastMessage(*row))
            self._past.update({task: Past(messages) for task, messages in grouped.items()})
        return {task: self._past[task] for task in sorted(listed) if self._past[task].messages}

    def placed(self, placements: Mapping[str, tuple[int, Sequence[EdgeTuple]]]) -> Mapping[str, Sequence[ChangeTuple]]:
        """Return, netted, the signed changes that messages with these edges would make, each the next of its task."""
        histories = self._histories(placements)
        last = {task for task, (at, _) in placements.items() if self._would_be_last(histories.get(task), at)}
        before: dict[str, set[EdgeTuple]] = {task: set() for task in last}
        for edge in self.edges_of(last):
            before[edge.task_id].add((edge.source, edge.target, edge.type, edge.subtype, edge.expression))
        result = self._replayed({task: placements[task] for task in placements.keys() - last})
        for task in last:
            at, edges = placements[task]
            gone, fresh = before[task] - set(edges), set(edges) - before[task]
            result[task] = net([*((-1, *edge, at, None) for edge in gone), *((1, *edge, at, None) for edge in fresh)])
        return result

    def _would_be_last(self, past: Past | None, at: int) -> bool:
        """Whether a message of the task would be its last, so that it ends what is in force at the basis."""
        last = past.last_at if past is not None else None
        return last is None or (last < at and last <= self.basis.valid_at)

    def _replayed(self, placements: Mapping[str, tuple[int, Sequence[EdgeTuple]]]) -> dict[str, Sequence[ChangeTuple]]:
        """Return the same for any place among the task's messages, as a writer finds it: by all that they held."""
        histories = self._histories(placements)
        versions = [message.version for history in histories.values() for message in history.messages]
        contents = {version: rest for version, *rest in self._fetch(CONTENTS, versions=versions)} if versions else {}
        return {
            task: histories[task].placed(contents, self.basis.version + 1, *placements[task]) for task in placements
        }

    def _all_columns(self) -> list[ColumnAsOf]:
        return self._view.columns(inferred=False)

    @cached_property
    def _known(self) -> dict[str, list[ColumnAsOf]]:
        result: dict[str, list[ColumnAsOf]] = {}
        for column in self._all_columns():
            result.setdefault(column.dataset, []).append(column)
        return result

    @cached_property
    def _columns(self) -> Shapes:
        return Shapes(self._known)

    def columns(self) -> Mapping[str, Shape]:
        """Return the columns of every dataset of which they are known."""
        return self._columns

    def declared_by(self, datasets: Iterable[str]) -> Mapping[str, TaskText]:
        """Return, for those of these datasets that a text gave their columns, that text."""
        versions = {dataset: self._known[dataset][0].version for dataset in datasets if dataset in self._known}
        if not versions:
            return {}
        derived = dict(self._fetch(DERIVED_FROM, versions=list(versions.values())))
        versions = {dataset: derived.get(version) or version for dataset, version in versions.items()}
        texts = {text.version: text for text in self._texts({*versions.values()})}
        return {
            dataset: texts[version]
            for dataset, version in versions.items()
            if version in texts and texts[version].sql is not None
        }

    def is_closed(self, namespace: str) -> bool:
        """Return whether a namespace has sources in force, and each is written by some task or has known columns."""
        self._make()
        query = f"""WITH held AS (SELECT split_part(source, '#', 1) AS source, split_part(target, '#', 1) AS target
            FROM {self._table} WHERE valid_from <= $at)
            SELECT DISTINCT source, source IN (SELECT target FROM held) FROM held WHERE starts_with(source, $space)"""
        sources = self._fetch(query, space=f"{namespace}:", at=self.basis.valid_at)
        return bool(sources) and all(written or dataset in self._columns for dataset, written in sources)

    def types(self, datasets: Iterable[str]) -> Mapping[str, Mapping[str, str]]:
        """Return the types of these datasets' columns, as far as they are known."""
        listed = [dataset for dataset in datasets if dataset in self._known]
        return {
            dataset: {
                column.column: column.type for column in self._known[dataset] if column.type and not column.nested
            }
            for dataset in listed
        }

    def gaps(self) -> GapsAt:
        """Return the tasks in force whose lineage is not complete."""
        return self._view.gaps

    def facts(self) -> Facts:
        """Return the owners, labels and priorities of nodes."""
        return self._facts

    @cached_property
    def _facts(self) -> Facts:
        return Facts.of(self._view.facts())


_NUMBERS: Final = itertools.count(1)


def in_background(work: Callable[[], T]) -> Future[T]:
    """Run something in a thread of its own; return a future of its result or its error."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="impact-edges", daemon=True).start()
    return future
