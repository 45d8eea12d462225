"""From messages to rows: duplicates left out, refusals kept, each accepted message placed on its task's timeline.

A plan is made against one end of the log. It touches nothing but the histories and the catalog it was given; whether it
comes to be is decided by the commit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

from lineage_tt.admission import lineage_problem
from lineage_tt.again import (
    STAR_REASON,
    Cause,
    Corrected,
    Made,
    carried,
    in_force,
    is_transient,
    is_worse,
    said_again,
    said_by,
)
from lineage_tt.catalog import Catalog, Entry
from lineage_tt.facts import OWN_KEYS, FactTuple, Field, FieldIdsSpentError, column_facts, names_of, task_node, with_ids
from lineage_tt.format import LogRow, chain_checksum
from lineage_tt.lineages import Lineages
from lineage_tt.messages import (
    DIGEST_BYTES,
    Change,
    Lineage,
    Message,
    NodeChange,
    Receipt,
    RejectedMessage,
    Subject,
    TaskChange,
    content_digest,
)
from lineage_tt.rows import conflicting, node_row, refusal, rejected_row, split_changes, task_row, unknown_event
from lineage_tt.stars import Due, StarIndex, due, stars_of
from lineage_tt.systemtimes import ImportOrder
from lineage_tt.tasks import Item, ItemChange, Stars, TaskHistory
from lineage_tt.timeline import NO_SOURCE_VERSION

TIME: Final = LogRow._fields.index("system_time")
#: Resolving one task again may change the columns that the star of another reads, and so on; circles end here.
MOST_WAVES: Final = 16


class Past(Protocol):
    """What a plan asks of the log and of what the writer remembers of it."""

    def histories(self, subjects: Iterable[Subject]) -> dict[Subject, TaskHistory]:
        """Return the histories of these subjects."""

    def statements(self, versions: Iterable[int]) -> Mapping[int, TaskChange]:
        """Return the task messages of these versions."""


class Plan:
    """The rows that a batch of messages becomes behind version ``version`` of the log."""

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
    ) -> None:
        self.version = version
        self.histories = histories
        self.rows: list[LogRow] = []
        self.receipts: list[Receipt] = []
        self.refused: dict[bytes, int] = {}
        self._catalog = catalog
        self._stars = stars
        self._past = past
        self._rejected = rejected
        self._source = source
        self._order = order
        self._statements: dict[int, TaskChange] = {}  # of this batch
        self._moved: set[int] = set()  # versions that began or ceased to count
        #: Versions that it made count, or ceased to, and whether they were withdrawn before.
        self.followed: dict[int, bool] = {}
        #: Datasets whose columns it asked for.
        self.asked: set[str] = set()
        #: Whether a row names the number of another one of its own, in words or as what it was derived from.
        self.cites_itself = False

    def is_new(self, message: Message) -> bool:
        """Say whether the log holds no message with this subject and event id yet."""
        return not isinstance(message, RejectedMessage) and (
            message.event_id not in self.histories[message.subject].events
        )

    def add(self, message: Message, lineages: Lineages) -> None:
        """Place one message: a row for it, or a receipt that names the version it repeats."""
        if isinstance(message, RejectedMessage):
            self._refuse(message)
            return
        digest = message.digest or content_digest(message)
        history = self.histories[message.subject]
        seen = history.events.get(message.event_id)
        if seen is not None:
            if seen[1] == digest:
                self.receipts.append(Receipt(seen[0], "duplicate"))
            else:
                self.cites_itself = self.cites_itself or seen[0] > self.version
                self._refuse(conflicting(message, seen[0], history.source_version_to_win(seen[0])))
            return
        if message.op == "retract" and message.retracts not in history.events:
            self._refuse(unknown_event(message))
            return
        problem = self._order.problem(message) if self._order else None
        if problem:
            self._refuse(refusal(message, *problem))
            return
        superseded = history.withdrawn_by(message.retracts or "") if message.op == "retract" else None
        if isinstance(message, NodeChange):
            try:
                self._accept_node(message, history, digest)
            except FieldIdsSpentError as spent:
                self._refuse(refusal(message, "invalid-message", str(spent)))
                return
        else:
            stated = lineages.given(message)
            lineage = stated or lineages.resolve(message, self._catalog)
            self.asked.update(dataset for dataset, _ in lineage.lookups)
            problem = lineage_problem(lineage) if stated is None else None
            if problem:
                self._refuse(refusal(message, *problem))
                return
            self._accept_task(message, history, lineage, digest)
        row = self.rows[-1]
        derived = 0
        if self._moved or history.has_stars or self._catalog.touched(row.version):
            cause = Cause(message.event_id, STAR_REASON, message.recorded_at)
            itself = {message.task_id} if isinstance(message, TaskChange) and history.has_stars else set()
            derived = self._derive(self._touched([row.version]), itself, cause, lineages)
        if message.op != "retract":
            superseded = history.superseded_by(row.version)
        changes = len(row.changes) + len(row.fact_changes)
        self.receipts.append(Receipt(row.version, "accepted", changes, derived, superseded))

    def _accept_task(self, message: TaskChange, history: TaskHistory, lineage: Lineage, digest: bytes) -> None:
        if history.has_facts and message.op in ("online", "update"):
            kept = _kept_facts(message, task_node(message.task_id), history)
            message = replace(message, facts=[*message.facts, *kept]) if kept else message
        if message.sql is not None:
            self._statements[self._next] = message
        stars = stars_of(lineage)
        if stars:
            self._stars.add(message.task_id, (dataset for dataset, _ in stars))
        self.rows.append(self._placed(message, history, lineage, digest, stars))

    def _placed(
        self,
        message: TaskChange,
        history: TaskHistory,
        lineage: Lineage,
        digest: bytes,
        stars: Stars,
        derived_from: int | None = None,
    ) -> LogRow:
        """Place what a task's message says, itself or anew, and return its row."""
        version = self._next
        edges, facts = lineage.ordered_edges(), sorted(message.facts) if message.facts else []
        if message.op == "retract":
            changes = self._withdraw(history, version, message)
        else:
            before = history.visible_versions() if history.has_derived else None
            at = message.effective_at or 0
            items: Iterable[Item] = [*edges, *facts] if facts else edges
            changes = history.place(version, at, message.source_version, items, derived_from)
            for dataset, columns in lineage.shapes():
                self._catalog.declare(dataset, Entry(at, _rank(message), version, columns))
            history.note_stars(version, stars)
            if before is not None:
                self._follow(before, history, version)
        history.events[message.event_id] = (version, digest)
        placed = split_changes(changes, facts) if facts or history.has_facts else {"changes": changes}
        if lineage.types:
            placed |= {"facts": sorted({*facts, *lineage.type_facts()})}
        if stars or derived_from is not None:
            placed |= {"stars": stars, "derived_from": derived_from}
        return task_row(version, message, lineage, edges, digest, self._source, **placed)

    def _accept_node(self, message: NodeChange, history: TaskHistory, digest: bytes) -> None:
        version = self._next
        facts = list(message.facts)
        if message.op == "retract":
            changes = self._withdraw(history, version, message)
        else:
            at = message.effective_at or 0
            if message.kind == "dataset":
                if message.op == "define":
                    facts += _kept_facts(message, message.node, history)
                fields = self._numbered(message, at)
                facts += column_facts(message.node, fields)
                self._catalog.declare(message.node, Entry.declared(at, _rank(message), version, tuple(fields)))
            facts.sort()  # as the row holds them: items are numbered alike when the history is read back
            changes = history.place(version, at, message.source_version, facts)
        history.events[message.event_id] = (version, digest)
        self.rows.append(node_row(version, message, digest, self._source, **split_changes(changes, facts)))

    def _withdraw(self, history: TaskHistory, version: int, message: Change) -> list[ItemChange]:
        """Take back what a message said, with what the catalog knew by it; return what that changes."""
        before = history.visible_versions()
        changes = history.withdraw(version, message.retracts or "")
        self._follow(before, history, version)
        return changes

    def _numbered(self, message: NodeChange, at: int) -> list[Field]:
        """Return the fields of a dataset message with their ids."""
        before = self._catalog.fields(message.node, at)
        if before is None:
            before = self._catalog.next_fields(message.node, at)
        return with_ids(message.fields, before, self._catalog.greatest_field_id(message.node))

    def _follow(self, before: set[int], history: TaskHistory, version: int) -> None:
        """Let the catalog follow which versions of a subject count."""
        after = history.visible_versions()
        for moved in before ^ after:
            self.followed.setdefault(moved, self._catalog.is_withdrawn(moved))
        for gone in before - after:
            self._catalog.withdraw(gone)
        for come in after - before - {version}:
            self._catalog.restore(come)
        self._moved |= before ^ after

    def correct(
        self, made: Sequence[Made], cause: Cause, lineages: Lineages, *, accept_worse: bool = False
    ) -> Corrected:
        """Resolve statements again that are in force and were resolved before; add a row for each that says otherwise.

        What it says differently was believed up to now and is corrected from now on: valid times stay. An answer that
        exceeded a limit is never taken, and a worse one only with ``accept_worse``.
        """
        histories = self._with_histories(each.task_id for each in made)
        held = [each for each in made if in_force(histories[each.task_id], each)]
        begun, worse, failed = self._next, 0, 0
        said = [(each.task_id, each.statement, each.effective_at) for each in held]
        again = self._resolved_again(said, cause, lineages)
        for each, (statement, lineage) in zip(held, again, strict=True):
            edges = histories[each.task_id].edges(each.version)
            if is_transient(lineage):
                failed += 1
            elif not accept_worse and is_worse(each, edges, lineage):
                worse += 1
            elif each.says(edges) != said_by(lineage):
                self._place_again(each.task_id, each.statement, statement, lineage, stars_of(lineage))
        self._derive(self._touched(range(begun, self._next)), set(), cause, lineages)
        return Corrected(self._next - begun, worse, failed)

    def _derive(self, touched: Iterable[str], tasks: set[str], cause: Cause, lineages: Lineages) -> int:
        """Resolve again what reads touched datasets through a star, and ``tasks``; return how many rows it took."""
        first = self._next
        tasks |= set(self._stars.tasks(touched))
        for _ in range(MOST_WAVES):
            histories = self._with_histories(tasks)
            waiting = [found for task in sorted(tasks) for found in due(task, histories[task], self._catalog)]
            if not waiting:
                break
            begun = self._next
            said = [(each.task_id, each.version, each.effective_at) for each in waiting]
            again = self._resolved_again(said, cause, lineages)
            for each, (statement, lineage) in zip(waiting, again, strict=True):
                if is_transient(lineage):
                    lineage = self._known_before(each, lineage)
                self._place_again(each.task_id, each.version, statement, lineage, each.stars)
            tasks = set(self._stars.tasks(self._touched(range(begun, self._next))))
        return self._next - first

    def _resolved_again(
        self, said: Sequence[tuple[str, int, int]], cause: Cause, lineages: Lineages
    ) -> Iterable[tuple[TaskChange, Lineage]]:
        """Yield what statements say now, given the task, version and effective_at of each, and the messages of it."""
        if not said:
            return ()
        statements = self._statements_of(version for _, version, _ in said)
        again = [said_again(statements[v], at, self._next + place, cause) for place, (_, v, at) in enumerate(said)]
        own = [self.histories[task].saying(version) for task, version, _ in said]
        return zip(again, lineages.again(again, own, self._catalog), strict=True)

    def _known_before(self, due: Due, lineage: Lineage) -> Lineage:
        """Return what a statement was known to say at a time, marked with why it could not be resolved again there."""
        history = self.histories[due.task_id]
        derived = history.derived(due.version)
        version = derived[max(at)] if (at := [at for at in derived if at <= due.effective_at]) else due.version
        written = (
            (dataset, self._catalog.columns(dataset, due.effective_at)) for dataset in self._catalog.touched(version)
        )
        outputs = [(dataset, names_of(columns)) for dataset, columns in written if columns]
        return carried(history.edges(version), outputs, lineage)

    def _place_again(self, task_id: str, version: int, statement: TaskChange, lineage: Lineage, stars: Stars) -> None:
        """Add a row that says a statement anew; its text stands in the row of ``version``."""
        history = self.histories[task_id]
        self.cites_itself = True
        row = self._placed(statement, history, lineage, content_digest(statement), stars, derived_from=version)
        self.rows.append(row._replace(sql=None, source=None))

    def _touched(self, versions: Iterable[int]) -> set[str]:
        """Return the datasets of which these versions, and those that began or ceased to count, say something."""
        found = {dataset for version in (*versions, *self._moved) for dataset in self._catalog.touched(version)}
        self._moved.clear()
        return found

    def _with_histories(self, tasks: Iterable[str]) -> dict[Subject, TaskHistory]:
        missing = set(tasks) - self.histories.keys()
        if missing:
            self.histories |= self._past.histories(missing)
        return self.histories

    def _statements_of(self, versions: Iterable[int]) -> Mapping[int, TaskChange]:
        older = set(versions) - self._statements.keys()
        return {**(self._past.statements(older) if older else {}), **self._statements}

    @property
    def _next(self) -> int:
        return self.version + len(self.rows) + 1

    def _refuse(self, message: RejectedMessage) -> None:
        digest = hashlib.sha256(message.raw).digest()[:DIGEST_BYTES]
        seen = self._rejected.get(digest) or self.refused.get(digest)
        if seen is not None:
            self.receipts.append(Receipt(seen, "duplicate"))
            return
        version = self._next
        self.refused[digest] = version
        self.rows.append(rejected_row(version, message, digest, self._source))
        self.receipts.append(Receipt(version, "rejected"))

    @property
    def timed_by_messages(self) -> bool:
        """Whether the end of the log decides which messages are accepted: a history import."""
        return self._order is not None

    def renumber(self, by: int) -> None:
        """Raise the numbers of all its rows by ``by``, in what it answers and remembers, too; then ``stamp`` again."""
        for history in self.histories.values():
            history.renumber(self.version, by)
        self.rows = [row._replace(version=row.version + by) for row in self.rows]
        self.refused = {digest: version + by for digest, version in self.refused.items()}
        self.receipts = [
            receipt._replace(version=receipt.version + by) if receipt.version > self.version else receipt
            for receipt in self.receipts
        ]
        self._statements = {version + by: message for version, message in self._statements.items()}
        self.version += by

    def stamp(self, times: Sequence[int], checksum: bytes) -> None:
        """Give the rows their system times (one each, strictly increasing) and chain their checksums."""
        stamped = []
        for row, time in zip(self.rows, times, strict=True):
            values = list(row)
            values[TIME] = time
            values[-1] = checksum = chain_checksum(checksum, values)
            stamped.append(LogRow._make(values))
        self.rows = stamped


def _kept_facts(message: Change, node: str, history: TaskHistory) -> list[FactTuple]:
    """Return the owners, labels and so on of a message's own node that are in force and that it does not speak of."""
    said = {fact[1] for fact in message.facts if fact[0] == node} | set(message.cleared)
    known = history.facts_at(message.effective_at or 0) if len(said) < len(OWN_KEYS) else ()
    return [fact for fact in known if fact[0] == node and fact[1] in OWN_KEYS and fact[1] not in said]


def _rank(message: Change) -> int:
    return NO_SOURCE_VERSION if message.source_version is None else message.source_version
