"""A plan after concurrent commits: which parts of it still hold, and which are planned again.

A *draft* is a plan that waits, or that lost to another writer. It notes what others commit meanwhile. If none of that
touches what the plan depends on, the rows are exactly those that planning again would give, except for their numbers,
times and checksums: the draft is *renumbered*. If it touches only the histories of some subjects, the messages about
these are placed again and the others keep their rows. Otherwise the plan's effects on the histories are undone, what
others committed for the same tasks is added to them, and the batch is planned again with the lineages already made from
its SQL.

What a plan depends on: the histories of its subjects; the messages rejected before; the columns of the datasets that
its statements, or the stars of its tasks, looked up; and which tasks read, by a star, datasets that it changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lineage_tt.log.commit_file import is_plain
from lineage_tt.log.system_times import ImportOrder
from lineage_tt.model.messages import Message, RejectedMessage, Subject
from lineage_tt.write.admission import catch_all
from lineage_tt.write.catalog.catalog import Catalog, Entry
from lineage_tt.write.catalog.lineages import Lineages
from lineage_tt.write.past.history import Past
from lineage_tt.write.planning.plan import Plan
from lineage_tt.write.subjects.histories import Tasks
from lineage_tt.write.subjects.tasks import PastMessage


@dataclass(slots=True)
class Since:
    """What other writers committed since a plan was made, as far as the plan may depend on it."""

    subjects: set[Subject] = field(default_factory=set)
    refused: set[bytes] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)
    starred: set[str] = field(default_factory=set)
    #: Whether this changed which earlier versions count.
    moved: bool = False
    #: The messages of subjects whose histories the plan has; ``unread`` are the subjects whose messages were not read.
    messages: dict[Subject, list[PastMessage]] = field(default_factory=dict)
    unread: set[Subject] = field(default_factory=set)

    def note(self, past: Past) -> None:
        """Add what some commits hold."""
        for subject, messages in past.messages.items():
            self.messages.setdefault(subject, []).extend(messages)
        self.unread.update(past.tasks - past.messages.keys())
        self.subjects.update(past.tasks)
        self.refused.update(past.rejected)
        self.declared.update(dataset for dataset, _ in past.declared)
        self.starred.update(dataset for _, dataset in past.stars)
        self.moved = self.moved or bool(past.withdrawn or past.restored)


class Draft:
    """A plan that is not committed yet, and what others committed since it was made."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.since = Since()
        self._entries: list[tuple[str, Entry]] | None = None

    @property
    def is_current(self) -> bool:
        """Whether nothing was committed since."""
        return self._entries is None

    def set_aside(self, catalog: Catalog) -> None:
        """Remove what the plan states from the catalog, so that what others committed can be added."""
        if self._entries is None:
            first = self.plan.version + 1
            self._entries = catalog.take_out(range(first, first + len(self.plan.rows) + 1))
            for version, was_withdrawn in self.plan.followed.items():
                if was_withdrawn and version < first:
                    catalog.withdraw(version)
                else:
                    catalog.restore(version)

    def stands(self, messages: Sequence[Message], order: ImportOrder | None) -> bool:
        """Return whether planning again would give the same rows with other numbers, except for ``touched`` subjects.

        ``messages`` are those of the plan; ``order`` checks their system times after the current end of the log.
        """
        plan, since = self.plan, self.since
        if plan.cites_itself or plan.followed or not is_in_order(plan, messages, order):
            return False
        if self.touched and (not messages or not self.touched.isdisjoint(since.unread)):
            return False
        declared = {dataset for dataset, _ in self._entries or ()}
        looked_up = plan.looked_up.union(*(history.star_datasets() for history in plan.histories.values()))
        if since.moved and (declared or looked_up):
            return False
        return (
            since.refused.isdisjoint(plan.refused)
            and since.declared.isdisjoint(declared | looked_up)
            and since.starred.isdisjoint(declared)
        )

    @property
    def touched(self) -> set[Subject]:
        """The subjects of the plan about which others committed something."""
        return self.since.subjects & self.plan.histories.keys()

    def place_again(self, messages: Sequence[Message], lineages: Lineages) -> bool:
        """Place the messages about ``touched`` subjects of a renumbered plan again; the others keep their rows.

        False if one of them does not become exactly one plain row, or has SQL: then everything must be planned again.
        """
        plan, touched = self.plan, self.touched
        for subject in touched:
            history = plan.histories[subject]
            history.rewind(plan.version)
            history.extend(self.since.messages[subject])
        for number, (message, receipt) in enumerate(zip(messages, plan.receipts, strict=True)):
            if isinstance(message, RejectedMessage) or message.subject not in touched:
                continue
            if receipt.status == "duplicate":  # of a message in the log, or of another one in this plan
                continue
            place, alone = receipt.version - plan.version - 1, plan.alone(receipt.version - 1)
            if lineages.needs_parser(message) or not is_plain(plan.rows[place]) or not _added(alone, message, lineages):
                return False
            plan.rows[place], plan.receipts[number] = alone.rows[0], alone.receipts[0]
        return True

    def renumber(self, version: int, catalog: Catalog) -> Plan:
        """Move the plan after ``version``, the current end of the log; its rows must still be stamped."""
        by = version - self.plan.version
        self.plan.renumber(by)
        for dataset, entry in self._entries or ():
            statement = entry.statement  # its own: nothing is derived
            if statement is not None:
                statement = statement._replace(version=statement.version + by)
            catalog.declare(dataset, entry._replace(version=entry.version + by, statement=statement))
        return self.plan

    def take_back(self, tasks: Tasks) -> None:
        """Undo what the plan did to the histories; keep the histories that agree with the log."""
        known, since = {}, self.since
        for subject, history in self.plan.histories.items():
            if subject in since.unread:
                continue
            history.rewind(self.plan.version)
            if subject in since.messages:
                history.extend(since.messages[subject])
            known[subject] = history
        tasks.forget(self.plan.histories.keys() - known.keys())
        tasks.keep(known)

    def remembers(self, subject: Subject) -> bool:
        """Return whether the plan holds the history of a subject."""
        return subject in self.plan.histories


def _added(alone: Plan, message: Message, lineages: Lineages) -> bool:
    """Add a message to an empty plan; return whether this gives one plain row and changes no other version."""
    try:
        alone.add(message, lineages)
    except Exception as error:
        if not catch_all.is_bug(error):
            raise
        return False
    return len(alone.rows) == 1 and is_plain(alone.rows[0]) and not (alone.followed or alone.cites_itself)


def is_in_order(plan: Plan, messages: Sequence[Message], order: ImportOrder | None) -> bool:
    """Return whether ``order`` judges the system times of a plan's messages as the plan's own order did."""
    if plan.order is None or order is None:
        return plan.order is order
    if any(row.rejected_code in ImportOrder.CODES for row in plan.rows):
        return False
    accepted = (m for m, receipt in zip(messages, plan.receipts, strict=True) if receipt.status == "accepted")
    return not any(order.problem(message) for message in accepted if not isinstance(message, RejectedMessage))
