"""What an OpenLineage job's facets state as edges.

For each output the most exact statement counts: the lineage facet (of the job, or of the dataset), else columnLineage,
else each input feeds the output as a whole. A lineage facet of the job covers all of its outputs. A job that is a
source or target of its own is the node ``task:ID``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from ingest.events.openlineage.merging import JobName, Picture
from ingest.events.openlineage.spec import facets as f
from ingest.events.openlineage.spec.models import Part, odd_keys
from ingest.events.openlineage.spec.unread import UNREADABLE
from ingest.messages.wording import problem_of
from lineage_tt.model.edges import ALIAS, DIRECT, INDIRECT, SUBTYPES, EdgeTuple, column_node, dataset_node, dataset_of
from lineage_tt.model.facts import FactTuple, task_node
from lineage_tt.model.messages import Problem
from lineage_tt.model.names import clipped

#: The key of the columns whose values a column shows only masked.
MASKED: Final = "masked"
#: The code of lists of inputs and outputs that are too long to join each input to each output.
TOO_MANY: Final = "too-many-edges"
#: The most edges between whole datasets that are made.
MAX_TABLE_EDGES: Final = 250_000

_MASKS: Final = frozenset({"MASKED", "MASKING"})
_SUBTYPES: Final = frozenset().union(*SUBTYPES.values())

_F = TypeVar("_F", bound=Part)
TaskOf = Callable[[JobName], str]


@dataclass(slots=True)
class Stated:
    """What facets state: edges, facts about them, and the outputs that no facet mentions.

    ``says`` is whether anything states lineage at all; ``unstated`` are outputs for which only the inputs of the job
    are known. ``explicit`` are the targets that lineage facets name; ``is_whole`` says that one facet covers the whole
    job, so that its lists of inputs and outputs make no edges.
    """

    edges: set[EdgeTuple] = field(default_factory=set)
    facts: set[FactTuple] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    unstated: list[str] = field(default_factory=list)
    says: bool = False
    explicit: set[str] = field(default_factory=set)
    is_whole: bool = False


def stated(picture: Picture, task_of: TaskOf) -> Stated:
    """Return the edges that a picture's facets state; edges into ``unstated`` outputs are left to the caller."""
    result = Stated()
    reader = _Reader(result, task_of, picture.job)
    for facets in (picture.facets, picture.run):
        result.is_whole |= reader.of_job(facets)
    for node, dataset in {**picture.inputs, **picture.outputs}.items():
        if reader.of_dataset(node, dataset.facets):
            result.explicit.add(node)
    for node, dataset in picture.outputs.items():
        if not result.is_whole and node not in result.explicit and not reader.of_columns(node, dataset.facets):
            result.unstated.append(node)
    result.says = bool(result.edges or result.explicit or picture.outputs)
    return result


def of_dataset(node: str, facets: Mapping[str, Any], task_of: TaskOf, job: JobName) -> Stated:
    """Return what the facets of a dataset event state of the lineage of the dataset itself."""
    result = Stated()
    reader = _Reader(result, task_of, job)
    result.says = reader.of_dataset(node, facets) or reader.of_columns(node, facets)
    return result


def table_edges(inputs: Iterable[str], outputs: Iterable[str]) -> Iterator[EdgeTuple]:
    """Yield an edge from each input to each output as a whole; values flow in a way that is not known."""
    sources = list(inputs)
    for target in outputs:
        yield from ((source, target, DIRECT, "TRANSFORMATION", "") for source in sources)


def boundary(picture: Picture, lineage: Stated, task: str) -> Iterator[EdgeTuple]:
    """Yield the edges between a job's own node and those of its inputs and outputs that a lineage facet leaves out.

    The facet covers the whole job: what it does not name is read, or made, by the job itself.
    """
    if lineage.is_whole:
        sources = {dataset_of(source) for source, *_ in lineage.edges}
        targets = {dataset_of(target) for _, target, *_ in lineage.edges} | lineage.explicit
        yield from table_edges((node for node in picture.inputs if node not in sources), [task])
        yield from table_edges([task], (node for node in picture.outputs if node not in targets))


class _Reader:
    """Reads the lineage of facets into a ``Stated``."""

    def __init__(self, result: Stated, task_of: TaskOf, job: JobName) -> None:
        self._result = result
        self._task_of = task_of
        self._job = job

    def of_job(self, facets: Mapping[str, Any]) -> bool:
        """Take the lineage facet of a job, or of a run; return whether there is one."""
        facet = self._read(facets, "lineage", f.LineageJob)
        for entry in facet.entries if facet else ():
            target = self._node(entry.type, entry.namespace, entry.name)
            if target is None:
                self._unnamed("an entry")
                continue
            self._entry(target, entry.inputs, entry.fields)
            self._result.explicit.add(target)
        return facet is not None

    def of_dataset(self, node: str, facets: Mapping[str, Any]) -> bool:
        """Take a dataset's lineage facet; return whether it has one."""
        facet = self._read(facets, "lineage", f.LineageEntry)
        if facet is None:
            return False
        self._entry(node, facet.inputs, facet.fields)
        return True

    def of_columns(self, node: str, facets: Mapping[str, Any]) -> bool:
        """Take a dataset's columnLineage facet; return whether it says anything."""
        facet = self._read(facets, "columnLineage", f.ColumnLineage)
        if facet is None or not (facet.fields or facet.dataset):
            return False
        for column, field_ in facet.fields.items():
            whole = _former(field_)
            if "inputFields" not in field_.model_fields_set and _has_own_keys(field_):
                self._complain("columnLineage", f"fields.{column}.inputFields: is missing")
            for each in field_.inputFields:
                source = column_node(dataset_node(each.namespace, each.name), each.field)
                self._add(source, column_node(node, column), each.transformations or whole, "columnLineage")
        for each in facet.dataset:
            source = column_node(dataset_node(each.namespace, each.name), each.field)
            how = each.transformations or [f.Transformation(type=INDIRECT)]
            self._add(source, node, how, "columnLineage")
        return True

    def _entry(
        self, target: str, inputs: Sequence[f.LineageInput] | None, fields: Mapping[str, f.LineageField] | None
    ) -> None:
        for each in inputs or ():
            self._input(each, target)
        for column, field_ in (fields or {}).items():
            for each in field_.inputs:
                self._input(each, column_node(target, column))

    def _input(self, each: f.LineageInput, target: str) -> None:
        source = self._node(each.type, each.namespace, each.name)
        if source is None:
            self._unnamed("an input")
            return
        if each.field is not None and each.type.upper() != "JOB":
            source = column_node(source, each.field)
        default = INDIRECT if each.field is not None and "#" not in target else DIRECT
        self._add(source, target, each.transformations or [f.Transformation(type=default)], "lineage")

    def _node(self, kind: str, namespace: str | None, name: str | None) -> str | None:
        if kind.upper() == "JOB":
            job = JobName(namespace, name) if namespace and name else self._job
            return task_node(self._task_of(job))
        return dataset_node(namespace, name) if namespace and name else None

    def _add(self, source: str, target: str, transformations: Iterable[f.Transformation], facet: str) -> None:
        for each in transformations:
            type_, subtype = typed(each.type, each.subtype)
            self._result.edges.add((source, target, type_, subtype, (each.description or "").strip()))
            if not is_known(each.type, each.subtype):
                of = f"{clipped(each.type)} with the subtype {clipped(each.subtype or '')}"
                self._complain(facet, f"transformations: {of} is not known, and counts as {type_} {subtype}")
            if each.masking or not _MASKS.isdisjoint({each.type.upper(), (each.subtype or "").upper()}):
                self._result.facts.add((target, MASKED, source))

    def _read(self, facets: Mapping[str, Any], name: str, model: type[_F]) -> _F | None:
        facet = facets.get(name)
        if facet is None or (isinstance(facet, Mapping) and facet.get("_deleted") is True):
            return None
        result, wrong = f.readable(facet, model)
        if wrong:
            which = "cannot be read" if result is None else f"cannot be read whole, {len(wrong)} errors in it"
            self._result.problems.append(Problem(UNREADABLE, f"the facet {name} {which}: {problem_of(wrong[0])}"))
        odd = list(odd_keys(result))
        if odd:
            more = f" (and {len(odd) - 1} more)" if len(odd) > 1 else ""
            self._complain(name, odd[0] + more)
        return result

    def _unnamed(self, what: str) -> None:
        self._complain("lineage", f"{what} without namespace and name has no effect")

    def _complain(self, name: str, words: str) -> None:
        start = f"the facet {name} cannot be read whole"
        if not any(each.detail.startswith(start) for each in self._result.problems):  # the first says enough
            self._result.problems.append(Problem(UNREADABLE, f"{start}: {words}"))


def typed(type_: str, subtype: str | None) -> tuple[str, str]:
    """Return a transformation as the store has it.

    A subtype in the place of the type is taken as one. An unknown subtype becomes the least that its type implies: that
    values flow (TRANSFORMATION), or that they decide something (CONDITIONAL).
    """
    for word in (_word(subtype or ""), _word(type_)):
        for known, subtypes in SUBTYPES.items():
            if word in subtypes and (type_.upper() == known or type_.upper() not in SUBTYPES):
                return known, word
    if type_.upper() == INDIRECT:
        return INDIRECT, "CONDITIONAL"
    return DIRECT, "TRANSFORMATION"


def is_known(type_: str, subtype: str | None) -> bool:
    """Return whether ``typed`` returns what a transformation says, and not the least that it implies."""
    kind, word = _word(type_), _word(subtype or "")
    if kind in SUBTYPES:
        return word in ("", ALIAS, *SUBTYPES[kind]) or word in _MASKS
    return kind in _SUBTYPES or word in _SUBTYPES or kind in _MASKS


def _word(text: str) -> str:
    return text.upper().replace("GROUPBY", "GROUP_BY")


def _has_own_keys(part: Part) -> bool:
    return any(not name.startswith("_") for name in part.model_extra or ())


def _former(field_: f.OutputField) -> list[f.Transformation]:
    """Return what columnLineage 1-0 says of all inputs of a column: one type, one description."""
    word = (field_.transformationType or "").upper()
    subtype = word if word in (*SUBTYPES[DIRECT], *SUBTYPES[INDIRECT], "MASKED") else None
    type_ = INDIRECT if subtype in SUBTYPES[INDIRECT] else DIRECT
    return [f.Transformation(type=type_, subtype=subtype, description=field_.transformationDescription)]
