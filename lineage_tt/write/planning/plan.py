"""From messages to rows: duplicates are left out, rejected messages kept, accepted ones placed on their timelines.

A plan is made against one end of the log. It changes only the histories and the catalog that it was given. Only the
commit decides whether a plan takes effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from lineage_tt.model.facts import FieldIdsSpentError
from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import (
    MAX_PROBLEMS,
    UNKNOWN_FIELD,
    Change,
    Coverage,
    Message,
    NodeChange,
    Problem,
    Receipt,
    RejectedMessage,
    TaskChange,
)
from lineage_tt.model.names import clipped, meaning
from lineage_tt.model.redaction.messages import digest_for, redacted_change, says_the_same
from lineage_tt.model.times import LAST
from lineage_tt.write import rows
from lineage_tt.write.admission.rules import lineage_problem
from lineage_tt.write.catalog import reresolve
from lineage_tt.write.catalog.lineages import Lineages
from lineage_tt.write.planning.deriving import Deriving
from lineage_tt.write.planning.log_queries import stamped


class Plan(Deriving):
    """The rows that a batch of messages becomes after version ``version`` of the log."""

    def is_new(self, message: Message) -> bool:
        """Return whether the log holds no message with this subject and event id yet."""
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
            stated = lineages.stated(redacted)
            lineage = stated or lineages.resolve(
                message, self._catalog, history.statement_at(message.effective_at or 0)
            )
            self.looked_up.update(dataset for dataset, _ in lineage.lookups)
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
        coverage = None if row.coverage == "complete" else cast("Coverage | None", row.coverage)
        problems = _problems(message, row) if coverage or message.misspelled or message.without_effect else ()
        self.receipts.append(Receipt(row.version, "accepted", changes, derived, superseded, coverage, problems))

    def _refuse(self, message: RejectedMessage) -> None:
        seen, digest = self._refusals.find(message)
        if seen is not None:
            self.receipts.append(Receipt(seen, "duplicate", repeats_rejected=True))
            return
        version = self._next
        self._refusals.fresh[digest] = version
        self.rows.append(rows.rejected_row(version, message, digest, self._source, self.texts.policy))
        self.receipts.append(Receipt(version, "rejected"))

    @property
    def refused(self) -> Mapping[bytes, int]:
        """The digests of the messages that the plan refuses, with their versions."""
        return self._refusals.fresh

    def alone(self, version: int) -> Plan:
        """Return an empty plan after ``version`` with the same histories, to place one of the messages again."""
        before, past, source = self._refusals.before, self._past, self._source
        return Plan(version, self.histories, self._catalog, self._stars, past, before, source, None, self.texts)

    def renumber(self, by: int) -> None:
        """Raise the versions of all rows by ``by``, also in receipts and histories; call ``stamp`` again after this."""
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


def _problems(message: Change, row: LogRow) -> Sequence[Problem]:
    """Return why parts of a message had no effect: fields that do nothing, and problems of its lineage."""
    unknown = [
        Problem(UNKNOWN_FIELD, f"{clipped(name)} is kept as an attribute and has no effect{meaning(known)}")
        for name, known in message.misspelled
    ]
    unknown += [Problem(UNKNOWN_FIELD, words) for words in message.without_effect]
    return tuple([*unknown, *(row.problems if row.coverage != "complete" else ())][:MAX_PROBLEMS])
