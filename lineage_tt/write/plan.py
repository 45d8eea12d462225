"""From messages to rows: duplicates left out, rejected ones kept, each accepted message placed on its task's timeline.

A plan is made against one end of the log. It touches nothing but the histories and the catalog it was given; whether it
comes to be is decided by the commit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from lineage_tt.log.system_times import ImportOrder
from lineage_tt.model.facts import Field, FieldIdsSpentError, column_facts, names_of, task_node, with_ids
from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import (
    Change,
    Lineage,
    Message,
    NodeChange,
    Receipt,
    RejectedMessage,
    Subject,
    TaskChange,
)
from lineage_tt.model.redaction.messages import digest_for, redacted_change, redacted_facts, says_the_same
from lineage_tt.model.redaction.policy import TextState
from lineage_tt.model.times import LAST
from lineage_tt.write import rows
from lineage_tt.write.admission.rules import lineage_problem
from lineage_tt.write.catalog import reresolve
from lineage_tt.write.catalog.catalog import Catalog, Entry, Statement
from lineage_tt.write.catalog.dependencies import Due, StarIndex, due, held_since, reads_named, stars_of
from lineage_tt.write.catalog.lineages import Lineages
from lineage_tt.write.planning import Past, Refusals, edges_said, kept_facts, rank_of, stamped, words_in
from lineage_tt.write.subjects.tasks import Item, ItemChange, Stars, TaskHistory

#: How often one message may have one statement resolved again as of one time: statements in a circle end here.
MAX_TIMES: Final = 16


class Plan:
    """The rows that a batch of messages becomes after version ``version`` of the log."""

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
        self._as_stored: dict[int, TaskChange] = {}  # those whose text is not kept as it came
        self._moved: set[int] = set()  # versions that began or ceased to count
        #: Versions that it made count, or ceased to, and whether they were withdrawn before.
        self.followed: dict[int, bool] = {}
        #: Datasets whose columns it asked for.
        self.asked: set[str] = set()
        #: Whether a row names the number of another row of this plan, in words or as what it was derived from.
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
        history = self.histories[message.subject]
        seen = history.events.get(message.event_id)
        if seen is not None:
            if says_the_same(message, seen[1]):
                self.receipts.append(Receipt(seen[0], "duplicate"))
            else:
                self.cites_itself = self.cites_itself or seen[0] > self.version
                self._refuse(rows.conflicting(message, seen[0], history.source_version_to_win(seen[0])))
            return
        if message.op == "retract" and message.retracts not in history.events:
            self._refuse(rows.unknown_event(message))
            return
        problem = self.order.problem(message) if self.order else None
        if problem:
            self._refuse(rows.refusal(message, *problem))
            return
        superseded = history.withdrawn_by(message.retracts or "") if message.op == "retract" else None
        digest = digest_for(message, self.texts.policy)
        if isinstance(message, NodeChange):
            try:
                self._accept_node(redacted_change(message, self.texts.policy), history, digest)
            except FieldIdsSpentError as spent:
                self._refuse(rows.refusal(message, "invalid-message", str(spent)))
                return
        else:
            redacted = redacted_change(message, self.texts.policy)
            stated = lineages.given(redacted)
            lineage = stated or lineages.resolve(
                message, self._catalog, history.statement_at(message.effective_at or 0)
            )
            self.asked.update(dataset for dataset, _ in lineage.lookups)
            problem = lineage_problem(lineage) if stated is None else None
            if problem:
                self._refuse(rows.refusal(message, *problem))
                return
            self._accept_task(redacted, history, lineage, digest)
        row = self.rows[-1]
        derived = 0
        tasks = self._stars.since(self._touched([row.version]))
        only: dict[str, int] = {}
        if isinstance(message, TaskChange):
            own = message.task_id
            if message.op == "retract":
                tasks[own] = min(history.changed_from(message.retracts or ""), tasks.get(own, LAST))
            elif own in tasks:
                tasks[own] = min(message.effective_at or 0, tasks[own])
            elif history.depends(row.version):
                tasks[own], only = message.effective_at or 0, {own: row.version}
        if tasks:
            cause = reresolve.Cause(message.event_id, reresolve.READ_REASON, message.recorded_at)
            derived = self._derive(tasks, only, cause, lineages)
        if message.op != "retract":
            superseded = history.superseded_by(row.version)
        changes = len(row.changes) + len(row.fact_changes)
        self.receipts.append(Receipt(row.version, "accepted", changes, derived, superseded))

    def _accept_task(self, message: TaskChange, history: TaskHistory, lineage: Lineage, digest: bytes) -> None:
        if history.has_facts and message.op in ("online", "update"):
            kept = redacted_facts(kept_facts(message, task_node(message.task_id), history), self.texts.policy)
            message = replace(message, facts=[*message.facts, *kept]) if kept else message
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
        """Place what a task's message says, itself or re-resolved, and return its row."""
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
                    facts += redacted_facts(kept_facts(message, message.node, history), self.texts.policy)
                fields = self._numbered(message, at)
                facts += column_facts(message.node, fields)
                self._catalog.declare(message.node, Entry.declared(at, rank_of(message), version, tuple(fields)))
            facts.sort()  # as the row holds them: items are numbered alike when the history is read back
            changes = history.place(version, at, message.source_version, facts)
        history.events[message.event_id] = (version, digest)
        self.rows.append(rows.node_row(version, message, digest, self._source, **rows.split_changes(changes, facts)))

    def _withdraw(self, history: TaskHistory, version: int, message: Change) -> list[ItemChange]:
        """Take back what a message said, with what the catalog knew by it; return what that changes."""
        counting = history.versions_in_force if isinstance(message, TaskChange) else history.visible_versions
        before = counting()
        changes = history.withdraw(version, message.retracts or "")
        self._follow(before, counting(), version)
        return changes

    def _numbered(self, message: NodeChange, at: int) -> list[Field]:
        """Return the fields of a dataset message with their ids."""
        before, after = self._catalog.fields(message.node, at) or (), self._catalog.next_fields(message.node, at)
        return with_ids(message.fields, before, self._catalog.greatest_field_id(message.node), after)

    def _follow(self, before: set[int], after: set[int], version: int) -> None:
        """Let the catalog follow which versions of a subject count; ``version`` is the one that is being placed."""
        gone, come = before - after | {version} - after, after - before - {version}
        for moved in filter(self._catalog.touched, gone | come):
            self.followed.setdefault(moved, self._catalog.is_withdrawn(moved))
            (self._catalog.withdraw if moved in gone else self._catalog.restore)(moved)
            self._moved.add(moved)

    def correct(
        self, made: Sequence[reresolve.Made], cause: reresolve.Cause, lineages: Lineages, *, accept_worse: bool = False
    ) -> reresolve.Corrected:
        """Resolve statements again that are in force and were resolved before; add a row for each that says otherwise.

        What it says differently was believed up to now and is corrected from now on: valid times stay. An answer that
        exceeded a limit is never taken, and a worse one only with ``accept_worse``.
        """
        histories = self._with_histories(each.task_id for each in made)
        held = [each for each in made if reresolve.in_force(histories[each.task_id], each)]
        begun, worse, failed, dropped = self._next, 0, 0, 0
        said = [(each.statement, each.effective_at) for each in held]
        again = self._resolved_again(said, cause, lineages)
        for each, (statement, lineage) in zip(held, again, strict=True):
            edges = edges_said(histories[each.task_id], each.version, self.texts.policy)
            if reresolve.is_transient(lineage):
                failed += 1
            elif reresolve.is_without_text(lineage):
                dropped += 1
            elif not accept_worse and reresolve.is_worse(each, edges, lineage):
                worse += 1
            elif each.says(edges) != reresolve.said_by(lineage):
                self._place_again(each.task_id, each.statement, statement, lineage)
        self._derive(self._stars.since(self._touched(range(begun, self._next))), {}, cause, lineages)
        return reresolve.Corrected(self._next - begun, worse, failed, dropped)

    def _derive(
        self, tasks: dict[str, int], only: Mapping[str, int], cause: reresolve.Cause, lineages: Lineages
    ) -> int:
        """Resolve again what depends on columns that changed; return how many rows it took.

        ``tasks`` says since when each may be otherwise; ``only`` the one version of it to look at.
        What that changes is followed to its end; statements that depend on themselves are left after some times.
        """
        first = self._next
        times: Counter[tuple[int, int]] = Counter()
        while tasks:
            waiting = [each for each in self._due(tasks, only) if times[each.version, each.effective_at] < MAX_TIMES]
            times.update((each.version, each.effective_at) for each in waiting)
            begun = self._next
            again = self._resolved_again([(each.version, each.effective_at) for each in waiting], cause, lineages)
            again_from: dict[str, int] = {}
            for each, (statement, lineage) in zip(waiting, again, strict=True):
                history = self.histories[each.task_id]
                before = history.in_force(each.version, each.effective_at)
                if reresolve.is_transient(lineage) or reresolve.is_without_text(lineage):
                    lineage = self._known_before(each, before, lineage)
                    self._place_again(each.task_id, each.version, statement, lineage, each.read)
                    continue
                asked = {dataset for dataset, _ in lineage.lookups} <= {dataset for dataset, _ in each.read}
                if asked and history.says(before, lineage.ordered_edges(), reresolve.beside_edges(lineage)):
                    history.note_checked(each.version, each.effective_at, before, each.read)
                else:
                    self._place_again(each.task_id, each.version, statement, lineage)
                    again_from.setdefault(each.task_id, each.effective_at)
            tasks, only = self._stars.since(self._touched(range(begun, self._next))), {}
            for task, at in again_from.items():  # it may have asked for other columns than before
                tasks[task] = min(at, tasks.get(task, at))
        return self._next - first

    def _due(self, tasks: Mapping[str, int], only: Mapping[str, int]) -> list[Due]:
        """Return what of these tasks was resolved with other columns than are known now, in order."""
        histories = self._with_histories(tasks)
        held = [
            (task, each, tasks[task])
            for task in sorted(tasks)
            for each in held_since(histories[task], tasks[task], only.get(task))
        ]
        texts = self._statements_of(
            each.version for task, each, _ in held if any(map(reads_named, histories[task].readings(each.version)))
        )
        found: list[Due] = []
        for task, each, since in held:
            statement = texts.get(each.version)
            statement = self._as_stored.get(each.version, statement)
            words = partial(words_in, statement, histories[task], each.version) if statement is not None else None
            found += due(task, histories[task], each, since, self._catalog, words)
        return found

    def _resolved_again(
        self, said: Sequence[tuple[int, int]], cause: reresolve.Cause, lineages: Lineages
    ) -> Iterable[tuple[TaskChange, Lineage]]:
        """Yield what statements say now, given the version and the effective_at of each, and the messages of it."""
        if not said:
            return ()
        statements = self._statements_of(version for version, _ in said)
        again = [reresolve.said_again(statements[v], at, cause) for v, at in said]
        stated = [(each, version) for each, (version, _) in zip(again, said, strict=True)]
        return zip(again, lineages.again(stated, self._catalog), strict=True)

    def _known_before(self, due: Due, version: int, lineage: Lineage) -> Lineage:
        """Return what ``version`` says, marked with why it could not be resolved again at a time."""
        at = due.effective_at
        written = ((dataset, self._catalog.columns(dataset, at)) for dataset, _ in self._catalog.touched(version))
        outputs = [(dataset, names_of(columns)) for dataset, columns in written if columns]
        return reresolve.carried(self.histories[due.task_id].edges(version), outputs, lineage)

    def _place_again(
        self, task_id: str, version: int, statement: TaskChange, lineage: Lineage, read: Stars | None = None
    ) -> None:
        """Add a row that says a statement of ``version`` again; ``read`` is given where a limit kept it from that."""
        history = self.histories[task_id]
        self.cites_itself = True
        statement = redacted_change(statement, self.texts.policy)
        statement = replace(statement, event_id=f"{statement.event_id}/resolved-again/{self._next}")
        row = self._placed(statement, history, lineage, digest_for(statement, self.texts.policy), version, read)
        self.rows.append(row._replace(sql=None, source=None))

    def _touched(self, versions: Iterable[int]) -> dict[str, int]:
        """Return what these versions, and those that began or ceased to count, may change; see ``Catalog.changed``."""
        found = self._catalog.changed((*versions, *self._moved))
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
        seen, digest = self._refusals.find(message)
        if seen is not None:
            self.receipts.append(Receipt(seen, "duplicate"))
            return
        version = self._next
        self._refusals.fresh[digest] = version
        self.rows.append(rows.rejected_row(version, message, digest, self._source, self.texts.policy))
        self.receipts.append(Receipt(version, "rejected"))

    @property
    def refused(self) -> Mapping[bytes, int]:
        """The digests of what it refuses, with their versions."""
        return self._refusals.fresh

    def alone(self, version: int) -> Plan:
        """Return an empty plan after ``version`` against the same histories, to place one of its messages again."""
        before, past, source = self._refusals.before, self._past, self._source
        return Plan(version, self.histories, self._catalog, self._stars, past, before, source, None, self.texts)

    def renumber(self, by: int) -> None:
        """Raise the numbers of all its rows by ``by``, in what it answers and remembers, too; then ``stamp`` again."""
        for history in self.histories.values():
            history.renumber(self.version, by)
        self.rows = [row._replace(version=row.version + by) for row in self.rows]
        self._refusals.renumber(by)
        self.receipts = [
            receipt._replace(version=receipt.version + by) if receipt.version > self.version else receipt
            for receipt in self.receipts
        ]
        self._statements = {version + by: message for version, message in self._statements.items()}
        self._as_stored = {version + by: message for version, message in self._as_stored.items()}
        self.version += by

    def stamp(self, times: Sequence[int], checksum: bytes) -> None:
        """Give the rows their system times (one each, strictly increasing) and chain their checksums."""
        self.rows = stamped(self.rows, times, checksum)
