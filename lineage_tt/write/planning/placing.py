"""Accepted messages on the timelines of their subjects: each becomes a row, and the catalog follows.

It changes only the histories and the catalog that it was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from lineage_tt.log.system_times import ImportOrder
from lineage_tt.model.facts import Field, column_facts, task_node, with_ids, with_named_ids
from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import (
    Change,
    Lineage,
    NodeChange,
    Receipt,
    Subject,
    TaskChange,
)
from lineage_tt.model.redaction.messages import redacted_facts
from lineage_tt.model.redaction.policy import TextState
from lineage_tt.write import rows
from lineage_tt.write.catalog import reresolve
from lineage_tt.write.catalog.catalog import Catalog, Entry, Statement
from lineage_tt.write.catalog.dependencies import StarIndex, stars_of
from lineage_tt.write.planning.log_queries import Past, Refusals, rank_of, retained_facts
from lineage_tt.write.subjects.tasks import Item, ItemChange, Stars, TaskHistory


class Placing:
    """The rows after version ``version`` of the log, and how a message becomes a row."""

    def __init__(
        self,
        version: int,
        histories: dict[Subject, TaskHistory],
        catalog: Catalog,
        stars: StarIndex,
        past: Past,
        rejected: Mapping[bytes, int],
        source: str | None,
        order: ImportOrder | None,
        texts: TextState,
    ) -> None:
        self.version = version
        self.texts = texts
        self.histories = histories
        self.rows: list[LogRow] = []
        self.receipts: list[Receipt] = []
        self._refusals = Refusals(rejected, texts)
        self._catalog = catalog
        self._stars = stars
        self._past = past
        self._source = source
        self.order = order
        self._statements: dict[int, TaskChange] = {}  # of this batch
        self._as_stored: dict[int, TaskChange] = {}  # those whose text is not kept as received
        self._moved: set[int] = set()  # versions that started or stopped to count
        #: Versions that the plan made start or stop to count, and whether each was withdrawn before.
        self.followed: dict[int, bool] = {}
        #: Datasets whose columns were looked up.
        self.looked_up: set[str] = set()
        #: Whether a row names another row of this plan by version, in its text or as ``derived_from``.
        self.cites_itself = False

    def _accept_task(self, message: TaskChange, history: TaskHistory, lineage: Lineage, digest: bytes) -> None:
        if history.has_facts and message.op in ("online", "update"):
            retained = redacted_facts(retained_facts(message, task_node(message.task_id), history), self.texts.policy)
            message = replace(message, facts=[*message.facts, *retained]) if retained else message
        if message.sql is not None:
            self._statements[self._next] = message
        self.rows.append(self._placed(message, history, lineage, digest))

    def _placed(
        self,
        message: TaskChange,
        history: TaskHistory,
        lineage: Lineage,
        digest: bytes,
        derived_from: int | None = None,
        read: Stars | None = None,
    ) -> LogRow:
        """Place what a task's message says, as received or re-resolved, and return its row."""
        version = self._next
        stored = rows.as_stored(message, lineage, self.texts.policy)
        if stored is not message:
            self._as_stored[version] = stored
        stars = stars_of(lineage, stored) if read is None else read
        self._stars.add(message.task_id, (dataset for dataset, _ in stars))
        edges, facts = lineage.ordered_edges(), sorted(message.facts) if message.facts else []
        if message.op == "retract":
            changes = self._withdraw(history, version, message)
        else:
            at = message.effective_at or 0
            before = history.versions_in_force() if history.has_derived or history.is_stated_at(at) else None
            items: Iterable[Item] = [*edges, *facts] if facts else edges
            changes = history.place(version, at, message.source_version, items, derived_from)
            stated_at = at if derived_from is None else history.effective_at(derived_from)
            statement = Statement(stated_at, rank_of(message), message.task_id, derived_from or version)
            for dataset, columns in lineage.shapes():
                self._catalog.declare(dataset, Entry.written(at, version, columns, statement))
            history.note_stars(version, stars, reresolve.beside_edges(lineage) if stars else None)
            if before is not None:
                self._follow(before, history.versions_in_force(), version)
        history.events[message.event_id] = (version, digest)
        placed = rows.split_changes(changes, facts) if facts or history.has_facts else {"changes": changes}
        if lineage.types:
            placed |= {"facts": sorted({*facts, *lineage.type_facts()})}
        if stars or derived_from is not None:
            placed |= {"stars": stars, "derived_from": derived_from}
        return rows.task_row(version, message, lineage, edges, digest, self._source, self.texts.policy, **placed)

    def _accept_node(self, message: NodeChange, history: TaskHistory, digest: bytes) -> None:
        version = self._next
        facts = list(message.facts)
        if message.op == "retract":
            changes = self._withdraw(history, version, message)
        else:
            at = message.effective_at or 0
            if message.kind == "dataset":
                if message.op == "define":
                    facts += redacted_facts(retained_facts(message, message.node, history), self.texts.policy)
                fields = self._numbered(message, at)
                facts += column_facts(message.node, fields)
                self._catalog.declare(message.node, Entry.declared(at, rank_of(message), version, tuple(fields)))
            facts.sort()  # in the row's order, so that items get the same numbers when the history is read back
            changes = history.place(version, at, message.source_version, facts)
        history.events[message.event_id] = (version, digest)
        self.rows.append(rows.node_row(version, message, digest, self._source, **rows.split_changes(changes, facts)))

    def _withdraw(self, history: TaskHistory, version: int, message: Change) -> list[ItemChange]:
        """Withdraw what a message stated, also from the catalog; return the changes."""
        counting = history.versions_in_force if isinstance(message, TaskChange) else history.visible_versions
        before = counting()
        changes = history.withdraw(version, message.retracts or "")
        self._follow(before, counting(), version)
        return changes

    def _numbered(self, message: NodeChange, at: int) -> list[Field]:
        """Return the fields of a dataset message with their ids."""
        if message.ids_by_name:
            return with_named_ids(message.fields, self._catalog.named_field_ids(message.node))
        before, after = self._catalog.fields(message.node, at) or (), self._catalog.next_fields(message.node, at)
        return with_ids(message.fields, before, self._catalog.greatest_field_id(message.node), after)

    def _follow(self, before: set[int], after: set[int], version: int) -> None:
        """Update the catalog with which versions of a subject count; ``version`` is being placed."""
        gone, come = before - after | {version} - after, after - before - {version}
        for moved in filter(self._catalog.touched, gone | come):
            self.followed.setdefault(moved, self._catalog.is_withdrawn(moved))
            (self._catalog.withdraw if moved in gone else self._catalog.restore)(moved)
            self._moved.add(moved)

    def _touched(self, versions: Iterable[int]) -> dict[str, int]:
        """Return what these versions, and those that started or stopped to count, may change (``Catalog.changed``)."""
        result = self._catalog.changed((*versions, *self._moved))
        self._moved.clear()
        return result

    @property
    def _next(self) -> int:
        return self.version + len(self.rows) + 1
