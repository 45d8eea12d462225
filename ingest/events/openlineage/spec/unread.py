"""What of an event cannot be read, in words for its receipt: the event counts all the same, and these parts do not.

Facets of lineage are not looked at here: what is wrong in them is a problem of the task (``edges``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from ingest.events.openlineage.spec import facets as f
from ingest.events.openlineage.spec import models
from ingest.events.openlineage.spec.models import Part, odd_keys
from ingest.messages.wording import misspelled, problem_of
from lineage_tt.model.edges import dataset_node, is_exact, split_dataset
from lineage_tt.model.messages import UNKNOWN_FIELD, Problem
from lineage_tt.model.names import clipped, meaning, shortened

UNREADABLE: Final = "unreadable-facet"
#: The code of a dataset whose namespace and name, put together, are those of another dataset.
AMBIGUOUS: Final = "ambiguous-name"
#: What happens to a dataset as a whole.
LIFECYCLES: Final = ("ALTER", "CREATE", "DROP", "OVERWRITE", "RENAME", "TRUNCATE")
#: The most problems of an event that are named.
MAX_NAMED: Final = 3
#: How many shapes are remembered with their problems.
_MAX_SHAPES: Final = 65_536

_OF_NODES: Final[Mapping[str, type[Part]]] = {
    "ownership": f.Ownership, "documentation": f.Documentation, "tags": f.Tags,
}  # fmt: skip
_OF_JOBS: Final[Mapping[str, type[Part]]] = {**_OF_NODES, "jobType": f.JobType, "sql": f.Sql}
_OF_RUNS: Final[Mapping[str, type[Part]]] = {"tags": f.Tags, "parent": f.Parent}
_OF_DATASETS: Final[Mapping[str, type[Part]]] = {
    **_OF_NODES, "schema": f.Schema, "symlinks": f.Symlinks, "datasetType": f.DatasetType,
    "lifecycleStateChange": f.Lifecycle,
}  # fmt: skip
_FIELDS: Final = frozenset({*models.RunEvent.model_fields, *models.DatasetEvent.model_fields})
_OF_DATASET: Final = frozenset(models.Dataset.model_fields)
_INSIDE: Final[Mapping[str, frozenset[str]]] = {
    "run": frozenset(models.Run.model_fields), "job": frozenset(models.Job.model_fields), "dataset": _OF_DATASET,
}  # fmt: skip
_problems_of_shapes: dict[bytes, tuple[Problem, ...]] = {}


def of_shape(shape: bytes, body: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return what cannot be read in the facets of a shape's body: columns, owners, labels, names, life cycles.

    Shapes are remembered, since most events have one that came before.
    """
    found = _problems_of_shapes.get(shape)
    if found is None:
        if len(_problems_of_shapes) >= _MAX_SHAPES:
            _problems_of_shapes.clear()
        found = _problems_of_shapes[shape] = tuple(_of_body(body))
    return found


def of_parts(document: Mapping[str, Any], also: Collection[str] = ()) -> Iterator[Problem]:
    """Yield the unknown keys of an event and its parts that resemble one that is missing, such as ``ouputs``.

    ``also`` are keys that are known beside those of the specification.
    """
    yield from _misspelt("", document, _FIELDS, also)
    for name, fields in _INSIDE.items():
        yield from _misspelt(f"{name}.", document.get(name), fields)
    for name in ("inputs", "outputs"):
        each = document.get(name)
        for number, one in enumerate(each if isinstance(each, list) else ()):
            yield from _misspelt(f"{name}.{number}.", one, _OF_DATASET)


def of_facet(facets: Any, name: str, model: type[Part], where: str = "") -> Iterator[Problem]:
    """Yield what cannot be read in a facet; ``where`` follows its name, as in `` of db:a``."""
    facet = facets.get(name) if isinstance(facets, Mapping) else None
    if facet is None or (isinstance(facet, Mapping) and facet.get("_deleted") is True):
        return
    result, wrong = f.readable(facet, model)
    if wrong:
        which = "cannot be read" if result is None else f"cannot be read whole, {len(wrong)} errors in it"
        yield Problem(UNREADABLE, f"the facet {name}{where} {which}: {shortened(problem_of(wrong[0]))}")
    for words in islice(odd_keys(result), 1):
        yield Problem(UNREADABLE, f"the facet {name}{where} cannot be read whole: {shortened(words)}")
    if isinstance(result, f.Lifecycle):
        yield from _of_lifecycle(result, where)


def one(problems: Iterable[Problem]) -> tuple[str, str] | None:
    """Return problems as the code and detail of a receipt, which has one: the code of the first, and all in words."""
    found = list(problems)
    if not found:
        return None
    words = "; ".join(each.detail for each in found[:MAX_NAMED])
    left = len(found) - MAX_NAMED
    return found[0].code, words + (f"; and {left} more" if left > 0 else "")


def node(part: Mapping[str, Any]) -> str:
    """Return `` of 'NAMESPACE:NAME'`` for a part."""
    name = f"{part.get('namespace')}:{part.get('name')}"
    return f" of {clipped(name)}"


def _of_body(body: Mapping[str, Any]) -> Iterator[Problem]:
    yield from _of_facets((body.get("job") or {}).get("facets"), _OF_JOBS, "")
    yield from _of_facets(body.get("run"), _OF_RUNS, " of the run")
    datasets = [*body.get("inputs", ()), *body.get("outputs", ()), *filter(None, [body.get("dataset")])]
    for each in datasets:
        yield from _of_facets(each["facets"], _OF_DATASETS, node(each))
        yield from _of_name(each)


def _of_name(dataset: Mapping[str, Any]) -> Iterator[Problem]:
    namespace, name = dataset.get("namespace"), dataset.get("name")
    if not (isinstance(namespace, str) and isinstance(name, str) and namespace) or is_exact(namespace, name):
        return
    other, rest = map(clipped, split_dataset(dataset_node(namespace, name)))
    words = f"the dataset {clipped(name)} of {clipped(namespace)} is shown as {rest} of {other}"
    hint = "give the namespace another name in [openlineage.namespaces] of the mapping file"
    yield Problem(AMBIGUOUS, f"{words}: {hint}")


def _of_facets(facets: Any, known: Mapping[str, type[Part]], where: str) -> Iterator[Problem]:
    if isinstance(facets, Mapping):
        for name in sorted(facets.keys() & known.keys()):
            yield from of_facet(facets, name, known[name], where)


def _of_lifecycle(change: f.Lifecycle, where: str) -> Iterator[Problem]:
    word = change.lifecycleStateChange.upper()
    if word not in LIFECYCLES:
        words = f"{clipped(change.lifecycleStateChange)} is not known: use {', '.join(LIFECYCLES)}"
        yield Problem(UNREADABLE, f"the facet lifecycleStateChange{where} has no effect: {words}")
    elif word == "RENAME" and change.previousIdentifier is None:
        words = "give the former name as previousIdentifier"
        yield Problem(UNREADABLE, f"the facet lifecycleStateChange{where} has no effect: {words}")


def _misspelt(where: str, part: Any, fields: frozenset[str], also: Collection[str] = ()) -> Iterator[Problem]:
    if not isinstance(part, Mapping) or part.keys() <= fields:  # as nearly always
        return
    unknown = [name for name in part if name not in fields and name not in also and not name.startswith("_")]
    for name, near in misspelled(unknown, fields, part.keys()):
        yield Problem(UNKNOWN_FIELD, f"{clipped(where + name)} has no effect{meaning(near)}")
