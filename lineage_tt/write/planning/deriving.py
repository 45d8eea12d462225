"""Re-resolution in a plan: statements whose columns changed are resolved again, and get rows of their own.

They follow the message that changed the columns, in the same commit.
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

#: How often one message may have one statement resolved again as of one time: statements in a circle end here.
MAX_TIMES: Final = 16


class Deriving(Placing):
    """Rows of messages, and of the statements that they have resolved again."""

    def correct(
        self,
        resolutions: Sequence[reresolve.Resolution],
        cause: reresolve.Cause,
        lineages: Lineages,
        *,
        accept_worse: bool = False,
    ) -> reresolve.Corrected:
        """Resolve statements again that are in force and were resolved before; add a row for each that says otherwise.

        What it says differently was believed up to now and is corrected from now on: valid times stay. An answer that
        exceeded a limit is never taken, and a worse one only with ``accept_worse``.
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
                reads_no_more = {dataset for dataset, _ in lineage.lookups} <= {dataset for dataset, _ in each.read}
                if reads_no_more and history.says(before, lineage.ordered_edges(), reresolve.beside_edges(lineage)):
                    history.note_checked(each.version, each.effective_at, before, each.read)
                else:
                    self._place_again(each.task_id, each.version, statement, lineage)
                    again_from.setdefault(each.task_id, each.effective_at)
            tasks, only = self._stars.since(self._touched(range(begun, self._next))), {}
            for task, at in again_from.items():  # it may have looked up other columns than before
                tasks[task] = min(at, tasks.get(task, at))
        return self._next - first

    def _due(self, tasks: Mapping[str, int], only: Mapping[str, int]) -> list[Due]:
        """Return what of these tasks was resolved with other columns than are known now, in order."""
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
        """Yield the message and the lineage now of each statement; ``points`` are (version, effective_at)."""
        if not points:
            return ()
        statements = self._statements_of(version for version, _ in points)
        again = [reresolve.restated(statements[v], at, cause) for v, at in points]
        stated = [(each, version) for each, (version, _) in zip(again, points, strict=True)]
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

    def _with_histories(self, tasks: Iterable[str]) -> dict[Subject, TaskHistory]:
        missing = set(tasks) - self.histories.keys()
        if missing:
            self.histories |= self._past.histories(missing)
        return self.histories

    def _statements_of(self, versions: Iterable[int]) -> Mapping[int, TaskChange]:
        older = set(versions) - self._statements.keys()
        return {**(self._past.statements(older) if older else {}), **self._statements}
