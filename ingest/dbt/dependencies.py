"""What dbt says that a model reads, where its text does not: edges between tables in the place of what is not known.

A text of which nothing can be read (a syntax error, a call, a macro) has no edges. The manifest names what the model
depends on, so that it is not without its sources; it stays incomplete, and says why. What a text that is read in part
lacks is left as it is: such a text is resolved again, by whoever makes more of its columns known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from ingest.dbt.relations import Relations
from ingest.resolve.resolver import SqlResolver
from lineage_tt.model.completeness.gaps import UNTRACED_READ, UNTRACED_WRITE
from lineage_tt.model.edges import DIRECT
from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import TABLES_ONLY, Columns, Lineage, Problem, TaskChange
from lineage_tt.model.redaction.names import masked_lineage
from lineage_tt.model.redaction.policy import TextPolicy

_AMBIGUOUS: Final = "ambiguous-column"


class DependenciesResolver:
    """Makes lineages as another resolver, and adds what a project says of texts that cannot be read."""

    def __init__(self, resolver: SqlResolver, relations: Relations) -> None:
        self._resolver = resolver
        self._relations = relations

    @property
    def policy(self) -> TextPolicy:
        """What the store keeps of texts."""
        return self._resolver.policy

    @policy.setter
    def policy(self, policy: TextPolicy) -> None:
        self._resolver.policy = policy

    def __call__(self, waiting: Sequence[tuple[TaskChange, Mapping[str, Shape]]]) -> list[Lineage]:
        """Return the lineage of each message under the columns beside it, in order."""
        lineages = list(self._resolver(waiting))
        itself = {
            place: {**_answers(lineage, shapes), message.target or "": own}
            for place, ((message, shapes), lineage) in enumerate(zip(waiting, lineages, strict=True))
            if (own := self._own_columns(message, lineage))
        }
        again = self._resolver([(waiting[place][0], shapes) for place, shapes in itself.items()]) if itself else ()
        for place, lineage in zip(itself, again, strict=True):
            first = lineages[place]
            if len(lineage.problems) < len(first.problems):  # what they depend on stays: not on what they write
                lineages[place] = replace(lineage, lookups=first.lookups, stars=first.stars)
        return [self._completed(message, lineage) for (message, _), lineage in zip(waiting, lineages, strict=True)]

    def _own_columns(self, message: TaskChange, lineage: Lineage) -> Columns:
        """Return the columns that a model writes, where its text reads them and does not say whose they are.

        An incremental model reads itself: ``where day > (select max(day) from {{ this }})``. The table has the columns
        that the model makes.
        """
        is_asked = message.task_id in self._nodes and any(each.code == _AMBIGUOUS for each in lineage.problems)
        return dict(lineage.outputs).get(message.target or "", ()) if is_asked else ()

    def _completed(self, message: TaskChange, lineage: Lineage) -> Lineage:
        unique_id, target = self._nodes.get(message.task_id), message.target
        if lineage.coverage != "opaque" or lineage.edges or unique_id is None or target is None:
            return lineage
        sources = self._relations.inputs(unique_id)
        if not sources:
            return lineage
        known = {(UNTRACED_WRITE, target), *((UNTRACED_READ, each) for each in sources)}
        problems = [each for each in lineage.problems if (each.code, each.subject) not in known]
        problems.append(Problem(TABLES_ONLY, "dbt says which tables feed this one, the text not which columns", target))
        edges = [(source, target, DIRECT, "TRANSFORMATION", "") for source in sources]
        return masked_lineage(replace(lineage, edges=edges, ordered=True, coverage="partial", problems=problems))

    @cached_property
    def _nodes(self) -> Mapping[str, str]:
        """The unique ids of tasks."""
        return {self._relations.task(each): each for each, _ in self._relations.of_kind("model", "snapshot")}


def _answers(lineage: Lineage, known: Mapping[str, Shape]) -> dict[str, Shape]:
    """Return the columns that a text looked up and that are known."""
    return {dataset: shape for dataset, _ in lineage.lookups if (shape := known.get(dataset)) is not None}
