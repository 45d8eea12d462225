"""Re-resolution in a plan: statements whose columns changed are re-resolved and get rows of their own.

These rows follow the message that changed the columns, in the same commit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from lineage_tt.model.facts import names_of
from lineage_tt.model.messages import (
    Lineage,
    Subject,
    TaskChange,
)
from lineage_tt.model.redaction.messages import digest_for, redacted_change
from lineage_tt.write.catalog import reresolve
from lineage_tt.write.catalog.dependencies import Due, due, reads_named, spans_since
from lineage_tt.write.catalog.lineages import Lineages
from lineage_tt.write.planning.log_queries import edges_stated, words_in
from lineage_tt.write.planning.placing import Placing
from lineage_tt.write.subjects.tasks import Stars, TaskHistory

#: How often one message may cause one statement to be re-resolved for one time; this stops statements that depend on
#: each other.
MAX_TIMES: Final = 16


class Deriving(Placing):
    """Rows of messages, and of the statements that are re-resolved because of them."""

    def correct(
        self,
        resolutions: Sequence[reresolve.Resolution],
        cause: reresolve.Cause,
        lineages: Lineages,
        *,
        accept_worse: bool = False,
    ) -> reresolve.Corrected:
        """Re-resolve these statements, as far as they are in force; add a row for each whose lineage differs.

        What was believed until now stays in the past; from now on it is corrected, with the same valid times. A result
        that exceeded a limit is never accepted, and a worse one only with ``accept_worse``.
        """
        histories = self._with_histories(each.task_id for each in resolutions)
        current = [each for each in resolutions if reresolve.in_force(histories[each.task_id], each)]
        begun, worse, failed, dropped = self._next, 0, 0, 0
        points = [(each.statement, each.effective_at) for each in current]
        again = self._resolved_again(points, cause, lineages)
        for each, (statement, lineage) in zip(current, again, strict=True):
            edges = edges_stated(histories[each.task_id], each.version, self.texts.policy)
            if reresolve.is_transient(lineage):
                failed += 1
            elif reresolve.is_without_text(lineage):
                dropped += 1
            elif not accept_worse and reresolve.is_worse(each, edges, lineage):
                worse += 1
            elif each.says(edges) != reresolve.content_of(lineage):
                self._place_again(each.task_id, each.statement, statement, lineage)
        self._derive(self._stars.since(self._touched(range(begun, self._next))), {}, cause, lineages)
        return reresolve.Corrected(self._next - begun, worse, failed, dropped)

    def _derive(
        self, tasks: dict[str, int], only: Mapping[str, int], cause: reresolve.Cause, lineages: Lineages
    ) -> int:
        """Re-resolve the statements that depend on columns that changed; return how many rows were added.

        ``tasks`` says from which valid time each task may have changed; ``only`` names one version to check for a task.
        Further changes that follow are handled too; statements that depend on themselves stop after ``MAX_TIMES``,
        and their last version says so.
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
                reads_no_more = {dataset for dataset, _ in lineage.lookups} <= {dataset for dataset, _ in each.read}
                if reads_no_more and history.says(before, lineage.ordered_edges(), reresolve.beside_edges(lineage)):
                    history.note_checked(each.version, each.effective_at, before, each.read)
                else:
                    if times[each.version, each.effective_at] == MAX_TIMES:
                        lineage = lineage.unsettled(MAX_TIMES)
                    self._place_again(each.task_id, each.version, statement, lineage)
                    again_from.setdefault(each.task_id, each.effective_at)
            tasks, only = self._stars.since(self._touched(range(begun, self._next))), {}
            for task, at in again_from.items():  # the statement may now look up other columns than before
                tasks[task] = min(at, tasks.get(task, at))
        return self._next - first

    def _due(self, tasks: Mapping[str, int], only: Mapping[str, int]) -> list[Due]:
        """Return, in order, the statements of these tasks that were resolved with columns that have changed since."""
        histories = self._with_histories(tasks)
        spans = [
            (task, each, tasks[task])
            for task in sorted(tasks)
            for each in spans_since(histories[task], tasks[task], only.get(task))
        ]
        texts = self._statements_of(
            each.version for task, each, _ in spans if any(map(reads_named, histories[task].readings(each.version)))
        )
        result: list[Due] = []
        for task, each, since in spans:
            statement = texts.get(each.version)
            statement = self._as_stored.get(each.version, statement)
            words = partial(words_in, statement, histories[task], each.version) if statement is not None else None
            result += due(task, histories[task], each, since, self._catalog, words)
        return result

    def _resolved_again(
        self, points: Sequence[tuple[int, int]], cause: reresolve.Cause, lineages: Lineages
    ) -> Iterable[tuple[TaskChange, Lineage]]:
        """Return the message and the new lineage of each statement; ``points`` are (version, effective_at)."""
        if not points:
            return ()
        statements = self._statements_of(version for version, _ in points)
        again = [reresolve.restated(statements[v], at, cause) for v, at in points]
        stated = [(each, version) for each, (version, _) in zip(again, points, strict=True)]
        return zip(again, lineages.again(stated, self._catalog), strict=True)

    def _known_before(self, due: Due, version: int, lineage: Lineage) -> Lineage:
        """Return the lineage of ``version``, marked with why it could not be re-resolved at ``due.effective_at``."""
        at = due.effective_at
        written = ((dataset, self._catalog.columns(dataset, at)) for dataset, _ in self._catalog.touched(version))
        outputs = [(dataset, names_of(columns)) for dataset, columns in written if columns]
        return reresolve.carried(self.histories[due.task_id].edges(version), outputs, lineage)

    def _place_again(
        self, task_id: str, version: int, statement: TaskChange, lineage: Lineage, read: Stars | None = None
    ) -> None:
        """Add a row for the re-resolved statement of ``version``; ``read`` is given if it could not be re-resolved."""
        history = self.histories[task_id]
        self.cites_itself = True
        statement = redacted_change(statement, self.texts.policy)
        statement = replace(statement, event_id=f"{statement.event_id}/resolved-again/{self._next}")
        row = self._placed(statement, history, lineage, digest_for(statement, self.texts.policy), version, read)
        self.rows.append(row._replace(sql=None, source=None))

    def _with_histories(self, tasks: Iterable[str]) -> dict[Subject, TaskHistory]:
        missing = set(tasks) - self.histories.keys()
        if missing:
            self.histories |= self._past.histories(missing)
        return self.histories

    def _statements_of(self, versions: Iterable[int]) -> Mapping[int, TaskChange]:
        older = set(versions) - self._statements.keys()
        return {**(self._past.statements(older) if older else {}), **self._statements}
